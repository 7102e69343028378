import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { editText } from './index.ts'
import { freePorts, startScratchHaproxy, whyWithoutHaproxy } from './scratch.ts'

test('names the port that another program holds, and does not reload for it', { skip: await whyWithoutHaproxy() }, async (t) => {
  const [port, taken] = await freePorts(2)
  const scratch = await startScratchHaproxy(`global
  stats socket \${socket} level admin
defaults
  mode http
  timeout connect 1s
  timeout client 1s
  timeout server 1s
frontend web
  bind 127.0.0.1:${port}
`)
  t.after(() => scratch.stop())
  const holder = createServer().listen(taken, '127.0.0.1')
  t.after(() => holder.close())
  await once(holder, 'listening')
  const bind = { address: '127.0.0.1', port: taken!, usesTls: false, certificates: [], alpn: null }
  const add = () =>
    scratch.host.applyEdit(scratch.haproxy.tool, (text) => editText(text, { do: 'add-frontend', name: 'new', parts: { binds: [bind] } }))
  const former = await scratch.haproxy.program.processes()
  const line = `Binding \\[${scratch.layout.configPath}:\\d+\\] : cannot bind socket \\(Address already in use\\) for \\[127\\.0\\.0\\.1:${taken}\\]`
  await assert.rejects(add(), new RegExp(line))
  assert.deepEqual(await scratch.haproxy.program.processes(), former)
  holder.close()
  await once(holder, 'close')
  assert.equal((await add()).isLive, true)
})
