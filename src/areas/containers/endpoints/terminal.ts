import Type from 'typebox'
import { failures } from '../../../core/endpoint.ts'
import { socketToken } from '../../../core/guard.ts'
import { socket } from '../../../core/reply.ts'
import { Secret } from '../../../core/schemas.ts'
import { endpoint } from '../context.ts'
import * as model from '../model.ts'
import { ContainerMissing, ContainerStopped, EngineFailed } from '../problems.ts'
import { showTerminal, wantedContainer } from '../terminal.ts'

const ExecQuery = Type.Object({
  token: Secret({ maxLength: 2000, description: 'Socket token for the purpose `container`, used once' }),
  command: Type.String({
    maxLength: 1000,
    pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\u0000-\\u0020\\u007f][^\\u0000-\\u001f\\u007f]*$',
    default: 'sh',
    description: 'Program and arguments, split at white space',
    expects: 'a program that the container has, such as sh or bash',
  }),
})

export const openContainerTerminal = endpoint({
  method: 'GET',
  path: '/containers/{id}/exec',
  summary: 'Open a terminal in a running container, for superusers',
  description:
    'Messages are those of the terminal of a user. The program ends with the connection. The token is a socket token for the purpose `container`.',
  effect: 'probes',
  guard: socketToken('container'),
  params: model.ContainerPath,
  query: ExecQuery,
  reply: socket,
  throws: failures(
    { not_found: ContainerMissing },
    { conflict: ContainerStopped },
    { container_error: EngineFailed },
  ),
  target: ({ containers, params, caller }) => wantedContainer(containers, params.id, caller),
  run: ({ containers, target, query }) => showTerminal(containers, target, query.command),
})
