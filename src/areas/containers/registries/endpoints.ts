import { local } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import * as model from './model.ts'
import { RegistryInvalid, RegistryMissing } from './problems.ts'
import * as registries from './registries.ts'

const ofThisHost = local('each host pulls its own images')

export const listRegistries = endpoint({
  method: 'GET',
  path: '/registries',
  summary: 'List the registries of which the panel has credentials, with passwords masked',
  effect: 'reads',
  reply: data(model.Registries),
  run: ({ containers }) => registries.listRegistries(containers),
})

export const setRegistry = endpoint({
  method: 'PUT',
  path: '/registries/{registry}',
  summary: 'Set the credentials by which images of a registry are pulled',
  description:
    'The password is stored sealed, and is sent to the engine alone, with each pull of an image whose name begins with the registry. `docker.io` stands for images whose names begin with none. The registry is asked with the next pull.',
  effect: 'changes',
  category: ofThisHost,
  params: model.RegistryPath,
  body: model.RegistryDraft,
  reply: data(model.Registry),
  throws: { bad_request: RegistryInvalid },
  run: ({ containers, params, body }) => registries.setRegistry(containers, params.registry, body),
})

export const removeRegistry = endpoint({
  method: 'DELETE',
  path: '/registries/{registry}',
  summary: 'Remove the credentials of a registry; images of it stay',
  effect: 'destroys',
  category: ofThisHost,
  params: model.RegistryPath,
  reply: succeeded,
  throws: { not_found: RegistryMissing },
  run: ({ containers, params }) => registries.removeRegistry(containers, params.registry),
})
