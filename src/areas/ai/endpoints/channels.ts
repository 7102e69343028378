import { failures } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { ConfigUnreadable, NoSuchRequest } from '../../../tools/openclaw/index.ts'
import { Channel, ChannelDraft } from '../channel-model.ts'
import * as channels from '../channels.ts'
import { endpoint } from '../context.ts'
import { asking, editFailures, ofThisHost, restartMs } from '../failures.ts'
import { PairingApproval, Pairings } from '../model.ts'
import { ChannelIncomplete, CredentialInvalid } from '../problems.ts'

const reading = { method: 'GET', effect: 'reads' } as const
const replacing = {
  method: 'POST',
  effect: 'changes',
  changesAccess: true,
  category: ofThisHost,
  body: ChannelDraft,
  reply: succeeded,
  timeoutMs: restartMs,
  throws: failures(editFailures, { bad_request: [ChannelIncomplete, CredentialInvalid] }),
} as const
const approving = {
  method: 'POST',
  effect: 'changes',
  changesAccess: true,
  category: ofThisHost,
  body: PairingApproval,
  reply: succeeded,
  throws: failures(asking, { not_found: NoSuchRequest }),
} as const

export const readChannelA = endpoint({
  ...reading,
  path: '/channel-a/config',
  summary: 'Read how the assistant answers on Telegram',
  reply: data(Channel),
  throws: { parse_failed: ConfigUnreadable },
  run: ({ ai }) => channels.readChannel(ai, 'a'),
})

export const replaceChannelA = endpoint({
  ...replacing,
  path: '/channel-a/config',
  summary: 'Set up how the assistant answers on Telegram',
  run: ({ ai, body, now }) => channels.replaceChannel(ai, 'a', body, now),
})

export const listChannelAPairings = endpoint({
  ...reading,
  path: '/channel-a/pairings',
  summary: 'List the senders on Telegram that wait to be admitted',
  reply: data(Pairings),
  run: ({ ai }) => channels.listPairings(ai, 'a'),
})

export const approveChannelAPairing = endpoint({
  ...approving,
  path: '/channel-a/pairings/approve',
  summary: 'Admit a sender on Telegram to the assistant',
  run: ({ ai, body }) => channels.approvePairing(ai, 'a', body),
})

export const readChannelB = endpoint({
  ...reading,
  path: '/channel-b/config',
  summary: 'Read how the assistant answers on Discord',
  reply: data(Channel),
  throws: { parse_failed: ConfigUnreadable },
  run: ({ ai }) => channels.readChannel(ai, 'b'),
})

export const replaceChannelB = endpoint({
  ...replacing,
  path: '/channel-b/config',
  summary: 'Set up how the assistant answers on Discord',
  run: ({ ai, body, now }) => channels.replaceChannel(ai, 'b', body, now),
})

export const listChannelBPairings = endpoint({
  ...reading,
  path: '/channel-b/pairings',
  summary: 'List the senders on Discord that wait to be admitted',
  reply: data(Pairings),
  run: ({ ai }) => channels.listPairings(ai, 'b'),
})

export const approveChannelBPairing = endpoint({
  ...approving,
  path: '/channel-b/pairings/approve',
  summary: 'Admit a sender on Discord to the assistant',
  run: ({ ai, body }) => channels.approvePairing(ai, 'b', body),
})
