// Written by "memory-hooks install", which also replaces it; removed by "memory-hooks uninstall".
//
// OpenCode has no settings for hooks. This plugin runs memory-hooks at the events of a session, with
// each event as JSON on its standard input, and puts what it replies before the model. OpenCode 1 calls
// its server, OpenCode 2 its setup.

import { spawn } from "node:child_process"
import { homedir } from "node:os"
import { join, resolve } from "node:path"

const program = "memory-hooks"

// Seconds after which an event gets no reply.
const limits = { SessionStart: 10, Stop: 10, SessionEnd: 3 }
const otherLimit = 5

// The file in which OpenCode records all sessions.
const database = resolve(
  process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "opencode",
  process.env.OPENCODE_DB || "opencode.db",
)

// "opencode run" ends as soon as its model stops, so it cannot go on after that.
const endsAtStop = process.argv.includes("run")

// ask runs memory-hooks at an event, and returns its reply: an empty one if there is none in time.
function ask(event, fields, directory) {
  return new Promise((reply) => {
    let text = ""
    const child = spawn(program, [event, "--agent", "opencode"], { cwd: directory, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    const done = () => {
      clearTimeout(timer)
      try {
        reply(JSON.parse(text))
      } catch {
        reply({})
      }
    }
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      reply({})
    }, 1000 * (limits[event] ?? otherLimit))
    child.on("error", done)
    child.on("close", done)
    child.stdin.on("error", () => {})
    child.stdout.setEncoding("utf8").on("data", (part) => { text += part })
    child.stdin.end(JSON.stringify({ hook_event_name: event, ...fields }))
  })
}

const contextOf = (reply) => reply.hookSpecificOutput?.additionalContext

// marked returns a context as it is added to the output of a tool.
const marked = (context) => `\n\n<hook_context>\n${context}\n</hook_context>`

// silent makes a hook that does not throw.
const silent = (hook) => async (...args) => {
  try {
    await hook(...args)
  } catch {}
}

// relay sends the events of the sessions in a directory. find returns a session by its id, goOn sends it a
// prompt, and tell shows the person a message.
function relay({ directory, find, goOn, tell }) {
  const sessions = new Map() // what is known of each, by its id

  async function session(id) {
    if (!sessions.has(id)) {
      const found = await find(id)
      sessions.set(id, { parent: found?.parentID, directory: found?.directory, begins: found?.isNew ? "startup" : "resume" })
    }
    return sessions.get(id)
  }

  // The session of a subagent is part of the one that began it.
  async function mainOf(id) {
    let main = id
    for (let s = await session(id); s.parent; s = await session(main)) main = s.parent
    return main
  }

  // send sends an event of a session.
  async function send(event, id, fields) {
    const cwd = (await session(id)).directory ?? directory
    const common = { cwd, transcript_path: database }
    const main = await mainOf(id)
    if (main !== id) common.agent_id = id
    const reply = await ask(event, { session_id: main, ...common, ...fields }, cwd)
    if (reply.systemMessage) tell?.(reply.systemMessage)
    return reply
  }

  // prompted sends what the person has typed, and returns what is put before the model.
  async function prompted(id, prompt) {
    const s = await session(id)
    s.prompted = true
    if (s.parent || !prompt) return []
    s.goesOn = s.interrupted = false
    s.answer = undefined
    const contexts = []
    if (s.begins) contexts.push(contextOf(await send("SessionStart", id, { source: s.begins })))
    s.begins = undefined
    contexts.push(contextOf(await send("UserPromptSubmit", id, { prompt })))
    return contexts.filter(Boolean)
  }

  async function stopped(id) {
    const s = await session(id)
    if (!s.prompted) return
    s.prompted = false
    const fields = { last_assistant_message: s.answer, stop_hook_active: !!s.goesOn || !!s.interrupted || endsAtStop }
    if (s.parent) {
      await send("SubagentStop", id, { ...fields, agent_type: s.agent, agent_transcript_path: database })
      return
    }
    const reply = await send("Stop", id, fields)
    if (reply.decision !== "block" || fields.stop_hook_active) return
    s.goesOn = true // once: then the next Stop blocks nothing
    await goOn(id, reply.reason)
  }

  async function end() {
    await Promise.all([...sessions].filter(([, s]) => !s.parent && !s.begins).map(([id]) => send("SessionEnd", id, { reason: "other" })))
  }

  return { sessions, session, mainOf, send, prompted, stopped, end }
}

const server = async ({ client, directory }) => {
  const failures = new Map() // contexts for calls of tools that have failed, by their ids
  const pending = new Set() // what OpenCode does not wait for
  let disposed = false
  const { sessions, session, mainOf, send, prompted, stopped, end } = relay({
    directory,
    // A session that was not created here is resumed.
    find: async (id) => ({ parentID: (await client.session.get({ path: { id } })).data?.parentID }),
    goOn: (id, text) => disposed || client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text, synthetic: true }] } }),
    tell: (message) => client.tui?.showToast?.({ body: { message, variant: "info" } })?.catch?.(() => {}),
  })

  // later does what OpenCode does not wait for.
  function later(work) {
    const promise = work.catch(() => {}).finally(() => pending.delete(promise))
    pending.add(promise)
    return promise
  }

  const events = {
    "session.created": async ({ info }) => sessions.set(info.id, { parent: info.parentID, begins: "startup" }),
    "session.deleted": async ({ info }) => sessions.delete(info.id),
    "session.compacted": async ({ sessionID }) => ((await session(sessionID)).begins = "compact"),
    "session.error": async ({ sessionID, error }) => {
      if (sessionID && error?.name === "MessageAbortedError") (await session(sessionID)).interrupted = true
    },
    "session.idle": ({ sessionID }) => stopped(sessionID),
    "message.part.updated": async ({ part }) => {
      if (part.type !== "tool" || part.state.status !== "error" || failures.has(part.callID)) return
      const reply = send("PostToolUseFailure", part.sessionID, {
        tool_name: part.tool, tool_input: part.state.input, tool_use_id: part.callID,
        error: part.state.error, is_interrupt: !!part.state.metadata?.interrupted,
      })
      failures.set(part.callID, reply.then(contextOf, () => undefined))
      await reply
    },
  }

  return {
    event: async ({ event }) => {
      const handle = events[event.type]
      if (handle && !disposed) later(handle(event.properties))
    },

    "chat.message": silent(async ({ sessionID }, { message, parts }) => {
      ;(await session(sessionID)).agent = message.agent
      const typed = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      for (const text of await prompted(sessionID, typed.join("\n"))) {
        const id = parts.at(-1).id + "0" // parts are in the order of their ids
        parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true })
      }
    }),

    // So commands know the session, whose budget counts.
    "shell.env": silent(async ({ sessionID }, { env }) => {
      if (sessionID) env.WHENCE_SESSION = await mainOf(sessionID)
    }),

    "tool.execute.after": silent(async ({ tool, sessionID, callID, args }, result) => {
      const { output, content, metadata } = result ?? {}
      const text = contextOf(await send("PostToolUse", sessionID, {
        tool_name: tool, tool_input: args, tool_use_id: callID, tool_response: { output, metadata },
      }))
      if (!text) return
      if (typeof output === "string") result.output += marked(text)
      else content?.push({ type: "text", text: marked(text) }) // of an MCP server
    }),

    // A call that has failed has no output to which its context could be added.
    "experimental.chat.messages.transform": silent(async (_, { messages }) => {
      for (const { state, callID } of messages.flatMap((message) => message.parts)) {
        const text = state?.status === "error" && (await failures.get(callID))
        if (text) state.error += marked(text)
      }
    }),

    "experimental.text.complete": silent(async ({ sessionID }, { text }) => {
      (await session(sessionID)).answer = text
    }),

    "experimental.session.compacting": silent(async ({ sessionID }) => {
      await send("PreCompact", sessionID, { trigger: "auto" })
    }),

    dispose: silent(async () => {
      disposed = true
      await Promise.all(pending)
      await end()
    }),
  }
}

const setup = async ({ session: api, tool, event, location }) => {
  if (!api?.hook) return // of OpenCode 1, which calls it as well
  let disposed = false
  const { sessions, session, send, prompted, stopped, end } = relay({
    directory: location?.directory ?? process.cwd(),
    find: async (id) => {
      const { parentID, location, tokens } = await api.get({ sessionID: id })
      return { parentID, directory: location?.directory, isNew: !tokens?.input && !tokens?.output }
    },
    goOn: (id, text) => disposed || api.prompt({ sessionID: id, text, metadata: { whence: true }, delivery: "queue" }),
  })

  await api.hook("prompt", silent(async ({ sessionID, prompt, metadata }) => {
    for (const text of await prompted(sessionID, metadata?.whence ? "" : prompt.text)) prompt.text += marked(text)
  }))

  await tool.hook("execute.after", silent(async (call) => {
    const { content, metadata } = call.result ?? {}
    const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? [])
    const outcome = call.status === "error"
      ? { error: call.error.message }
      : { tool_response: { output: parts.map((part) => part.text ?? "").join("\n"), metadata } }
    const text = contextOf(await send(call.status === "error" ? "PostToolUseFailure" : "PostToolUse", call.sessionID, {
      tool_name: call.tool, tool_input: call.input, tool_use_id: call.id, ...outcome,
    }))
    if (!text) return
    if (call.status === "error") call.error.message += marked(text)
    else call.result = { ...call.result, content: [...parts, { type: "text", text: marked(text) }] }
  }))

  // Events are those of all sessions.
  const events = {
    "session.text.ended": async ({ sessionID, text }) => ((await session(sessionID)).answer = text),
    "session.compaction.started": ({ sessionID, reason }) => send("PreCompact", sessionID, { trigger: reason }),
    "session.compaction.ended": async ({ sessionID }) => ((await session(sessionID)).begins = "compact"),
    "session.execution.succeeded": ({ sessionID }) => stopped(sessionID),
    "session.execution.failed": ({ sessionID }) => stopped(sessionID),
    "session.execution.interrupted": async ({ sessionID }) => {
      ;(await session(sessionID)).interrupted = true
      await stopped(sessionID)
    },
  }
  silent(async () => {
    for await (const { type, data } of event.subscribe()) {
      if (disposed) return
      if (events[type] && sessions.has(data.sessionID)) await silent(events[type])(data)
    }
  })()
  return silent(async () => {
    disposed = true
    await end()
  })
}

export default { id: "whence", server, setup }
