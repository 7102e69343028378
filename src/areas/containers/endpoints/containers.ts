import { local } from '../../../core/endpoint.ts'
import { awaited, data } from '../../../core/reply.ts'
import * as verbs from '../containers.ts'
import { endpoint } from '../context.ts'
import { creating, draftCreation } from '../create.ts'
import * as model from '../model.ts'
import { ConfirmationMissing, DraftInvalid, EngineFailed, ImageUnavailable } from '../problems.ts'

const ofThisHost = local('each host has its own containers')

export const listContainers = endpoint({
  method: 'GET',
  path: '/containers',
  summary: 'List all containers, running or not, with their ports and who can reach them',
  effect: 'reads',
  reply: data(model.Containers),
  throws: { container_error: EngineFailed },
  run: ({ containers }) => verbs.listContainers(containers),
})

export const createContainer = endpoint({
  method: 'POST',
  path: '/containers',
  summary: 'Create a container and start it; its image is pulled if the host does not have it',
  description:
    'The firewall of the panel accepts the ports that it publishes on other addresses than loopback, until it stops. Folders of the system, the socket of the engine, `privileged` and the network of the host must be repeated in `confirm`.',
  effect: 'changes',
  category: ofThisHost,
  body: model.ContainerDraft,
  reply: awaited(creating, { status: 200, shape: 'data' }),
  throws: {
    bad_request: [DraftInvalid, ConfirmationMissing],
    container_error: [EngineFailed, ImageUnavailable],
  },
  run: ({ body }) => draftCreation(body),
})
