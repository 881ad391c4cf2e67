// OpenClaw: a hook that returns {block: true} keeps the tool from running. Of the arguments that several plugins return the last ones
// count, and a plugin does not see those of another; so ours runs last and returns the arguments that were judged.
const LAST = -Number.MAX_VALUE;

export default {
  id: "remit",
  name: "Remit",
  description: "Asks Remit before a tool runs",
  register(api) {
    const limits = { priority: LAST, timeoutMs: (SETTINGS.seconds + 10) * 1000 };
    const tell = (name, event, context) => {
      const { abortSignal, trace, ...rest } = context ?? {};
      return ask("openclaw", name, { event, context: rest, workspace: workspace(api, rest.agentId) });
    };
    api.on(
      "before_tool_call",
      async (event, context) => {
        try {
          const answer = await tell("before_tool_call", event, context);
          if (answer.deny !== undefined) return { block: true, blockReason: answer.deny || "refused by Remit" };
          const params = answer.args ?? event.params;
          if (answer.ask === undefined) return { params };
          const requireApproval = { title: "Remit", description: answer.ask, severity: "warning", allowedDecisions: ["allow-once", "deny"] };
          return { params, requireApproval };
        } catch (error) {
          return { block: true, blockReason: error.message };
        }
      },
      limits,
    );
    // what the user said: a refusal is a result, an error too
    api.on(
      "before_agent_run",
      async (event, context) => {
        try {
          const answer = await tell("before_agent_run", event, context);
          return answer.deny === undefined ? undefined : { outcome: "block", reason: answer.deny };
        } catch (error) {
          return { outcome: "block", reason: error.message };
        }
      },
      limits,
    );
    for (const name of ["after_tool_call", "session_start", "session_end", "subagent_spawned", "subagent_ended"])
      api.on(name, async (event, context) => void (await tell(name, event, context).catch(() => {})), limits);
  },
};

function workspace(api, agent) {
  const agents = api.config?.agents ?? {};
  return agents.list?.find?.(({ id }) => id === agent)?.workspace ?? agents.defaults?.workspace ?? "";
}
