import { failures, local } from '../../../core/endpoint.ts'
import { awaited, data, events } from '../../../core/reply.ts'
import { OrderFailed } from '../../certificates/index.ts'
import { notCreated } from '../../websites/index.ts'
import * as config from '../config.ts'
import { nameOf } from '../containers.ts'
import { endpoint } from '../context.ts'
import { draftEdit, editing } from '../edit.ts'
import { listHistory } from '../store.ts'
import { followLog } from '../logs.ts'
import * as model from '../model.ts'
import * as problems from '../problems.ts'
import { draftPublish, publishing } from '../publish.ts'
import { PublishDraft, UpgradeDraft } from '../replace/model.ts'
import { draftRemoval, draftSwitch, removing, switching } from '../switch.ts'
import { draftUpgrade, upgrading } from '../upgrade.ts'

const { ContainerMissing, EngineFailed, ImageUnavailable } = problems
const ofThisHost = local('each host has its own containers')
const failing = { container_error: [EngineFailed, ImageUnavailable] }
const missing = { not_found: ContainerMissing }
const invalid = { bad_request: [problems.DraftInvalid, problems.ConfirmationMissing] }
const ofContainer = endpoint.with({ params: model.ContainerPath })

export const editContainer = ofContainer({
  method: 'PUT',
  path: '/containers/{id}',
  summary: 'Replace a container by one with these settings, which keeps its name and volumes',
  description:
    'Every field is replaced; a value of bullets in `env` keeps the former one. The new container must start, and become healthy where it has a health check: otherwise the former one runs again. The former one stays, stopped, until the next edit.',
  effect: 'changes',
  category: ofThisHost,
  body: model.ContainerDraft,
  reply: awaited(editing, { status: 200, shape: 'data' }),
  throws: failures(invalid, missing, failing),
  run: ({ containers, params, body }) => draftEdit(containers, params.id, body),
})

export const removeContainer = ofContainer({
  method: 'DELETE',
  path: '/containers/{id}',
  summary: 'Remove a container; its named volumes stay',
  effect: 'destroys',
  category: ofThisHost,
  query: model.RemovalQuery,
  reply: awaited(removing, { status: 200, shape: 'data' }),
  throws: { container_error: [EngineFailed, problems.NothingToRemove] },
  run: ({ containers, params, query }) => draftRemoval(containers, params.id, query.force === '1'),
})

export const switchContainer = ofContainer({
  method: 'POST',
  path: '/containers/{id}/{action}',
  summary: 'Start, stop, restart, pause, unpause or kill a container',
  effect: 'changes',
  category: ofThisHost,
  params: model.ActionPath,
  reply: awaited(switching, { status: 200, shape: 'data' }),
  throws: failures(missing, { container_error: EngineFailed }),
  run: ({ containers, params }) => draftSwitch(containers, params.id, params.action),
})

export const readConfig = ofContainer({
  method: 'GET',
  path: '/containers/{id}/config',
  summary: 'Read the settings of a container, in the form in which an edit takes them',
  effect: 'reads',
  reply: data(model.ContainerConfig),
  throws: failures(missing, { container_error: EngineFailed }),
  run: ({ containers, params }) => config.readConfig(containers, params.id),
})

export const inspectContainer = ofContainer({
  method: 'GET',
  path: '/containers/{id}/inspect',
  summary: 'Read everything that the engine knows of a container; the values of its environment are masked',
  effect: 'reads',
  reply: data(model.Inspection),
  throws: failures(missing, { container_error: EngineFailed }),
  run: ({ containers, params }) => config.inspect(containers, params.id),
})

export const followContainerLog = ofContainer({
  method: 'GET',
  path: '/containers/{id}/logs',
  summary: 'Follow the last lines that a container printed, and those to come',
  effect: 'reads',
  query: model.LogQuery,
  reply: events(model.ContainerLogLine),
  throws: failures(missing, { container_error: EngineFailed }),
  target: ({ containers, params }) => config.load(containers, params.id),
  run: ({ containers, target, query, lastEventId, signal }) =>
    followLog(containers, target, query, { afterMs: lastEventId, signal }),
})

export const listContainerHistory = ofContainer({
  method: 'GET',
  path: '/containers/{id}/history',
  summary: 'List the changes that the panel made to a container, the newest first',
  effect: 'reads',
  reply: data(model.History),
  throws: failures(missing, { container_error: EngineFailed }),
  target: ({ containers, params }) => config.load(containers, params.id),
  run: ({ containers, target }) => listHistory(containers, nameOf(target)),
})

export const upgradeContainer = ofContainer({
  method: 'POST',
  path: '/containers/{id}/upgrade',
  summary: 'Upgrade a container to another image, with a backup',
  description:
    'Pulls the image (`image`; for an app of the catalog, by default that of the catalog), backs up the container, and replaces it by one with the same settings and volumes. The new container must start, and become healthy where it has a health check: otherwise the former one runs again, on the content of the backup. The former one stays, stopped, until the next edit or upgrade.',
  effect: 'changes',
  category: ofThisHost,
  body: UpgradeDraft,
  reply: awaited(upgrading, { status: 200, shape: 'data' }),
  throws: failures({ bad_request: problems.DraftInvalid, conflict: problems.UpToDate }, missing, failing),
  run: ({ containers, params, body, now }) => draftUpgrade(containers, params.id, body, now),
})

export const publishContainer = ofContainer({
  method: 'POST',
  path: '/containers/{id}/publish',
  summary: 'Create a website with a certificate in front of a port of a container',
  description:
    'The port is one that the container publishes. Where others than this host reach it, the container is replaced by one that publishes it on 127.0.0.1 alone, as by an edit. The website is a proxy of `username`, by default the caller. If a part fails, as the order of the certificate may, all of it is undone.',
  effect: 'changes',
  category: ofThisHost,
  body: PublishDraft,
  reply: awaited(publishing, { status: 200, shape: 'data' }),
  throws: failures(
    notCreated,
    { bad_request: [problems.PortUnpublished, problems.DraftInvalid] },
    { conflict: problems.ContainerStopped, acme_failed: OrderFailed },
    missing,
    failing,
  ),
  run: ({ containers, params, body, id }) => draftPublish(containers, params.id, body, id('websites')),
})
