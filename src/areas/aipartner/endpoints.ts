import Type from 'typebox'
import { failures, local } from '../../core/endpoint.ts'
import { permission, socketToken } from '../../core/guard.ts'
import { BadRequest, StoreFailed } from '../../core/problem.ts'
import { data, flat, type Reply, socket } from '../../core/reply.ts'
import { ProcessManagerFailed, RemovalFailed } from '../../tools/pm2/index.ts'
import * as activation from './activate.ts'
import * as channels from './channel.ts'
import { showChat, wantedChat } from './chat.ts'
import { endpoint } from './context.ts'
import * as gateways from './gateway.ts'
import * as chats from './messages.ts'
import {
  ActivatedTrial,
  PartnerChannel,
  PartnerChannelDraft,
  PartnerChannelEdit,
  PartnerChatQuery,
  ClearedMessages,
  PartnerGatewayDraft,
  PartnerGatewayInstalling,
  PartnerGatewayOutput,
  PartnerGatewayQuery,
  PartnerGatewayRemoved,
  PartnerGatewayStatus,
  PartnerMessages,
  PartnerStatus,
} from './model.ts'
import {
  AlreadyActivated,
  AlreadyInstalled,
  BuildMisconfigured,
  InstallRejected,
  NotActivated,
  PartnerFailed,
  PartnerUnreachable,
  SecretRejected,
} from './problems.ts'

const category = local('each host has a trial and a gateway of its own')
const administrators = permission('administrative_operations')
const unreadable = { server_error: StoreFailed }
const ofPartner = { partner_error: PartnerFailed, partner_unreachable: PartnerUnreachable }
const ofChannel = failures(ofPartner, {
  bad_request: BadRequest,
  not_activated: NotActivated,
  build_misconfigured: BuildMisconfigured,
  save_failed: StoreFailed,
})

/** 202: the installation follows as a job. */
const begun: Reply<'accepted', PartnerGatewayInstalling> = {
  kind: 'accepted',
  status: 202,
  schema: PartnerGatewayInstalling,
}

export const activateTrial = endpoint({
  method: 'POST',
  path: '/activate',
  summary: 'Activate the trial of the AI partner for this host, once',
  description:
    'The partner is told the name of this host and a digest of its licence. It answers a licence that it knows with the former trial: `reused` is then true.',
  effect: 'changes',
  category,
  reply: data(ActivatedTrial),
  throws: failures(ofPartner, {
    already_activated: AlreadyActivated,
    build_misconfigured: BuildMisconfigured,
    partner_secret_rejected: SecretRejected,
    save_failed: StoreFailed,
  }),
  run: ({ aipartner, now }) => activation.activateTrial(aipartner, now),
})

export const readPartnerStatus = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Read whether the trial is activated, how long it lasts, and whether it is blocked',
  effect: 'reads',
  reply: flat(PartnerStatus),
  throws: unreadable,
  run: ({ aipartner, now }) => activation.readStatus(aipartner, now),
})

export const openPartnerChat = endpoint({
  method: 'GET',
  path: '/chat',
  summary: 'Chat with the AI partner over a WebSocket',
  description:
    'Messages are JSON text. The client sends `{"type":"message","text":"…"}`; the panel passes on the frames of the partner: `banner`, `typing`, `done`, `blocked` and `error`, with their `text`. What was written is kept for its user. If the partner cannot be reached, or its connection is lost, an `error` frame tells so, and the next message connects again. A blocked trial stays blocked.',
  effect: 'probes',
  guard: socketToken('partner-chat'),
  query: PartnerChatQuery,
  reply: socket,
  throws: { not_activated: NotActivated },
  target: ({ aipartner, caller, tokenUserId, now }) => wantedChat(aipartner, { caller, tokenUserId, now }),
  run: ({ aipartner, target }) => showChat(aipartner, target),
})

export const listPartnerMessages = endpoint({
  method: 'GET',
  path: '/messages',
  summary: 'Read your last 200 messages to and from the AI partner, the oldest first',
  effect: 'reads',
  reply: data(PartnerMessages),
  throws: unreadable,
  run: ({ aipartner, caller }) => chats.listMessages(aipartner, caller.user.id),
})

export const clearPartnerMessages = endpoint({
  method: 'DELETE',
  path: '/messages',
  summary: 'Delete your messages to and from the AI partner',
  effect: 'destroys',
  category,
  reply: data(ClearedMessages),
  throws: unreadable,
  run: ({ caller }) => chats.clearMessages(caller.user.id),
})

export const readChannel = endpoint({
  method: 'GET',
  path: '/channel-a',
  summary: 'Read the bot that answers at the messenger, from the AI partner',
  effect: 'reads',
  reply: data(PartnerChannel),
  throws: failures(ofPartner, { build_misconfigured: BuildMisconfigured }),
  run: ({ aipartner, now, signal }) => channels.readChannel(aipartner, { now, signal }),
})

export const replaceChannel = endpoint({
  method: 'POST',
  path: '/channel-a',
  summary: 'Configure the bot; what is left out gets its default',
  effect: 'changes',
  guard: administrators,
  category,
  body: PartnerChannelDraft,
  reply: data(PartnerChannel),
  throws: ofChannel,
  run: ({ aipartner, body, now }) => channels.replaceChannel(aipartner, body, now),
})

export const editChannel = endpoint({
  method: 'PATCH',
  path: '/channel-a',
  summary: 'Change parts of the configuration of the bot',
  effect: 'changes',
  guard: administrators,
  category,
  body: PartnerChannelEdit,
  reply: data(PartnerChannel),
  throws: ofChannel,
  run: ({ aipartner, body, now }) => channels.editChannel(aipartner, body, now),
})

export const removeChannel = endpoint({
  method: 'DELETE',
  path: '/channel-a',
  summary: 'Disable the bot at the AI partner, and forget it',
  effect: 'destroys',
  guard: administrators,
  category,
  reply: data(Type.Object({ connected: Type.Literal(false) })),
  throws: failures(ofPartner, { build_misconfigured: BuildMisconfigured, save_failed: StoreFailed }),
  run: ({ aipartner, now }) => channels.removeChannel(aipartner, now),
})

export const installGateway = endpoint({
  method: 'POST',
  path: '/gateway/install',
  summary: 'Install the gateway of the AI partner, run by PM2',
  description:
    'The partner names the program that the token belongs to. A job downloads it, verifies its SHA-256, and has PM2 run it under an account of its own. PM2 must be installed before: `npm install --global --ignore-scripts pm2@7`.',
  effect: 'changes',
  guard: administrators,
  category,
  body: PartnerGatewayDraft,
  reply: begun,
  throws: failures(ofPartner, {
    bad_request: BadRequest,
    install_failed: [InstallRejected, AlreadyInstalled],
    build_misconfigured: BuildMisconfigured,
  }),
  run: ({ aipartner, body, caller, signal }) =>
    gateways.installGateway(aipartner, { token: body.token, userId: caller.user.id, signal }),
})

export const readGateway = endpoint({
  method: 'GET',
  path: '/gateway/status',
  summary: 'Read whether the gateway is installed and runs',
  effect: 'reads',
  guard: administrators,
  query: PartnerGatewayQuery,
  reply: flat(PartnerGatewayStatus),
  throws: unreadable,
  run: ({ aipartner, query }) => gateways.readGateway(aipartner, (query.include_log ?? '') !== ''),
})

export const restartGateway = endpoint({
  method: 'POST',
  path: '/gateway/restart',
  summary: 'Restart the gateway',
  effect: 'changes',
  guard: administrators,
  category,
  reply: data(PartnerGatewayOutput),
  throws: { process_manager_error: ProcessManagerFailed },
  run: ({ aipartner }) => gateways.switchGateway(aipartner, 'restart'),
})

export const stopGateway = endpoint({
  method: 'POST',
  path: '/gateway/stop',
  summary: 'Stop the gateway until it is restarted, or the host is',
  effect: 'changes',
  guard: administrators,
  category,
  reply: data(PartnerGatewayOutput),
  throws: { process_manager_error: ProcessManagerFailed },
  run: ({ aipartner }) => gateways.switchGateway(aipartner, 'stop'),
})

export const removeGateway = endpoint({
  method: 'DELETE',
  path: '/gateway',
  summary: 'Stop the gateway, and remove it with its account',
  effect: 'destroys',
  guard: administrators,
  category,
  reply: data(PartnerGatewayRemoved),
  throws: { uninstall_failed: RemovalFailed },
  run: ({ aipartner }) => gateways.removeGateway(aipartner),
})
