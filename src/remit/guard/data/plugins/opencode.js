// opencode: a hook that throws keeps the tool from running, and the model reads the message.
export const Remit = async ({ directory }) => {
  const tell = (event, input, output) => ask("opencode", event, { directory, input, output });
  const refuse = (answer) => {
    const reason = answer.deny ?? answer.ask;
    if (reason !== undefined) throw new Error(String(reason) || "refused by Remit");
    return answer;
  };
  return {
    "tool.execute.before": async (input, output) => {
      const { args } = refuse(await tell("tool.execute.before", input, { args: output.args }));
      if (args === undefined) return;
      for (const name of Object.keys(output.args)) delete output.args[name];
      Object.assign(output.args, args);
    },
    // the tool has run: what is refused here is its result, which the model then does not see
    "tool.execute.after": async (input, output) => {
      try {
        refuse(await tell("tool.execute.after", input, { output: output.output, metadata: output.metadata }));
      } catch (error) {
        output.output = error.message;
        output.metadata = {};
      }
    },
    "chat.message": async (input, output) => {
      refuse(await tell("chat.message", input, { message: output.message, parts: output.parts }));
    },
    event: async ({ event }) => {
      if (["session.created", "session.deleted", "session.idle"].includes(event.type))
        await tell(event.type, { sessionID: event.properties.sessionID ?? event.properties.info?.id }, event.properties).catch(() => {});
    },
  };
};
