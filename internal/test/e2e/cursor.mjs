// Runs hooks as Cursor does: by the part of its SDK that loads settings, runs commands and reads their replies.
// Parts of the SDK on which these don't depend are stubs.
//
//	node cursor.mjs FOLDER-OF-THE-SDK PROJECT stdin|legacy <EVENTS
//
// An event is a line of JSON, [name, request]. Its reply is printed as a line, null if there is none.
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const [sdk, project, transport] = process.argv.slice(2)
const parts = {}, loaded = {}, builtin = createRequire(import.meta.url)
for (const name of readdirSync(sdk).filter(name => /^\d+\.js$/.test(name))) {
  Object.assign(parts, (await import(`${sdk}/${name}`)).__webpack_esm_modules__)
}

function load(id) {
  if (loaded[id]) return loaded[id].exports
  const part = loaded[id] = { exports: {} }
  if (parts[id]) {
    parts[id](part, part.exports, load)
  } else if (id.startsWith('node:')) {
    const all = builtin(id.split('?')[0])
    part.exports = { ...all, default: all }
  } else {
    part.exports = stub
  }
  return part.exports
}
load.d = (exports, getters) => {
  for (const name in getters) Object.defineProperty(exports, name, { enumerable: true, get: getters[name] })
}
load.r = () => {}
load.n = exports => () => exports.default ?? exports
const stub = new Proxy(function () {}, {
  get: (_, name) => name === 'then' ? undefined : name === 'prototype' ? {} : name === Symbol.toPrimitive ? () => '' : stub,
  apply: () => stub,
})

const runtime = await load('../cursor-sdk-local-runtime/dist/core/hooks-runtime.js').vk({
  globalContext: { cursor_version: '3.20.17', user_email: null }, useCommandHookStdinTransport: transport === 'stdin',
}).createHooksRuntime({ workspaceState: { projectRoot: project, workspaceRoots: [project] } })
if (runtime.hooksConfig.errors.length > 0) throw new Error(JSON.stringify(runtime.hooksConfig.errors))
const { hookExecutor } = runtime.createSessionRuntime({})
for await (const line of createInterface({ input: process.stdin })) {
  const [name, request] = JSON.parse(line)
  console.log(JSON.stringify(await hookExecutor.executeHookForStep(name, request) ?? null))
}
