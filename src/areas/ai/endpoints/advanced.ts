import { data } from '../../../core/reply.ts'
import * as advanced from '../advanced.ts'
import { endpoint } from '../context.ts'
import { asking, editFailures, ofThisHost, restartFailures, restartMs } from '../failures.ts'
import { Output } from '../model.ts'

const acting = { method: 'POST', category: ofThisHost, reply: data(Output), timeoutMs: restartMs } as const

export const clearChatSessions = endpoint({
  ...acting,
  path: '/advanced/clear-sessions',
  summary: 'Clear all conversations with the assistant',
  effect: 'destroys',
  throws: asking,
  run: ({ ai }) => advanced.clearSessions(ai),
})

export const purgeCredentials = endpoint({
  ...acting,
  path: '/advanced/purge-credentials',
  summary: 'Remove all credentials of the assistant, its vault and its key of the panel',
  effect: 'destroys',
  throws: editFailures,
  run: ({ ai, now }) => advanced.purgeCredentials(ai, now),
})

export const resetAssistantConfig = endpoint({
  ...acting,
  path: '/advanced/reset-config',
  summary: 'Reset the configuration of the assistant; the former one is kept as a version',
  effect: 'changes',
  throws: editFailures,
  run: ({ ai, now }) => advanced.resetConfig(ai, now),
})

export const restartGateway = endpoint({
  ...acting,
  path: '/advanced/restart-gateway',
  summary: 'Restart the gateway of the assistant',
  effect: 'changes',
  throws: restartFailures,
  run: ({ ai }) => advanced.restartGateway(ai),
})
