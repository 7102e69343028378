import { local } from '../../../core/endpoint.ts'
import { data } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { DraftInvalid, EngineFailed } from '../problems.ts'
import { readExposure } from './exposure.ts'
import { limitPort } from './limit.ts'
import * as model from './model.ts'

export const readContainerExposure = endpoint({
  method: 'GET',
  path: '/exposure',
  summary: 'Report who can reach each published port, computed from DOCKER-USER and the firewall',
  effect: 'reads',
  reply: data(model.Exposure),
  throws: { container_error: EngineFailed },
  run: ({ containers }) => readExposure(containers),
})

export const limitContainerPort = endpoint({
  method: 'PUT',
  path: '/exposure',
  summary: 'Limit who can reach a published port, or lift the limit',
  description:
    'The rules go to DOCKER-USER, as packets to published ports do not pass those of the firewall. The limit holds for every container that publishes the port, and after a restart of the host. This host always reaches it.',
  effect: 'changes',
  category: local('each host has its own containers'),
  body: model.LimitDraft,
  bodyBytes: 128 * 1024,
  reply: data(model.Limit),
  throws: { bad_request: DraftInvalid, container_error: EngineFailed },
  run: ({ containers, body }) => limitPort(containers, body),
})
