import Type from 'typebox'
import { EditedByHand } from '../../../core/problem.ts'
import { failures } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { Reveal } from '../../../core/schemas.ts'
import { notTaken } from '../../../tools/nginx/index.ts'
import { ConfigUnreadable } from '../../../tools/openclaw/index.ts'
import * as consoles from '../console.ts'
import { ConsoleHealth, ConsoleStatus } from '../console-model.ts'
import { endpoint } from '../context.ts'
import { editFailures, ofThisHost, restartFailures, restartMs } from '../failures.ts'
import { Lan } from '../model.ts'
import { ConsoleOff, PortTaken } from '../problems.ts'

const changing = {
  method: 'POST',
  effect: 'changes',
  category: ofThisHost,
  reply: succeeded,
  timeoutMs: restartMs,
} as const
const served = failures(editFailures, { config_failed: notTaken, edited_by_hand: EditedByHand })

export const readWebConsole = endpoint({
  method: 'GET',
  path: '/webconsole/status',
  summary: 'Read whether the console of the assistant is served, and where; reveal=1 shows its token',
  effect: 'reads',
  query: Type.Object({ reveal: Reveal }),
  reply: data(ConsoleStatus),
  throws: { parse_failed: ConfigUnreadable },
  run: ({ ai }) => consoles.readConsole(ai),
})

export const checkWebConsole = endpoint({
  method: 'GET',
  path: '/webconsole/healthcheck',
  summary: 'Check each part on which the console of the assistant depends',
  effect: 'reads',
  reply: data(ConsoleHealth),
  run: ({ ai }) => consoles.checkConsole(ai),
})

export const startWebConsole = endpoint({
  ...changing,
  path: '/webconsole/start',
  summary: 'Start the console of the assistant',
  throws: editFailures,
  run: ({ ai, now }) => consoles.startConsole(ai, now),
})

export const stopWebConsole = endpoint({
  ...changing,
  path: '/webconsole/stop',
  summary: 'Stop the console of the assistant; the assistant itself goes on',
  throws: served,
  run: ({ ai, now }) => consoles.stopConsole(ai, now),
})

export const restartWebConsole = endpoint({
  ...changing,
  path: '/webconsole/restart',
  summary: 'Restart the console of the assistant, and the assistant with it',
  throws: failures(restartFailures, { conflict: ConsoleOff, parse_failed: ConfigUnreadable }),
  run: ({ ai }) => consoles.restartConsole(ai),
})

export const fixWebConsole = endpoint({
  ...changing,
  path: '/webconsole/fix',
  summary: 'Write again what the console of the assistant depends on, and restart it',
  throws: served,
  run: ({ ai, now }) => consoles.fixConsole(ai, now),
})

export const enableWebConsoleLan = endpoint({
  ...changing,
  path: '/webconsole/enable-lan',
  summary: 'Show the console of the assistant to the network, over TLS',
  description:
    "The web server serves it with the panel's certificate, and the firewall of the panel opens the port. A browser needs the token of the gateway, and waits until it is admitted.",
  changesAccess: true,
  body: Lan,
  throws: failures(served, { conflict: [ConsoleOff, PortTaken] }),
  run: ({ ai, body, now }) => consoles.enableLan(ai, body, now),
})

export const disableWebConsoleLan = endpoint({
  ...changing,
  path: '/webconsole/disable-lan',
  summary: 'Hide the console of the assistant from the network',
  throws: served,
  run: ({ ai, now }) => consoles.disableLan(ai, now),
})
