"""What a policy means, on one page: conditions over plain values, in the words of the language."""

from remit.authority.values.outputs import Outputs


def decision(policy, intent, values, facts):
    """The decision. `values`: what is said by slot; `facts`: (slot, relation, operand) -> whether it holds."""
    rules = policy.rules.get(intent)
    if rules is None:
        return Outputs(*[False] * 5)

    def holds(atom):
        if atom.relation == "in":
            return values.get(atom.slot, "") in policy.lists[atom.operand].values
        if atom.relation == "has":
            window = policy.lists[atom.operand].window
            return any(one[:window] in values.get(atom.slot, "") for one in policy.lists[atom.operand].values)
        return facts[atom]

    def one_of(word):
        return any(all(holds(atom) is wanted for atom, wanted in line.atoms) for line in rules.get(word, ()))

    return Outputs(one_of("allow") and not one_of("deny"), *(one_of(word) for word in Outputs._fields[1:]))
