import Type, { type Static } from 'typebox'
import { Masked, Secret, Text } from '../../../core/schemas.ts'

const RegistryName = Type.String({
  maxLength: 255,
  pattern: '^[a-zA-Z0-9][a-zA-Z0-9.:-]*$',
  description:
    'Host of the registry as images name it, with its port if they name one; docker.io for that of Docker',
  expects: 'the host of a registry such as registry.example.com or registry.example.com:5000',
})

export const RegistryPath = Type.Object({ registry: RegistryName })

const account = {
  username: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[^:\\u0000-\\u001f\\u007f]+$',
    description: 'Name of the account',
    expects: 'the name of an account, without a colon',
  }),
  password: Secret({
    minLength: 1,
    maxLength: 8192,
    description: 'Password or access token; its masked form keeps that of the registry',
    expects: 'a password or an access token of at most 8192 characters',
  }),
}

export const RegistryDraft = Type.Object(account)
export type RegistryDraft = Static<typeof RegistryDraft>

/** What the form of new credentials asks for. */
export const RegistryForm = Type.Object({ registry: RegistryName, ...account })
export type RegistryForm = Static<typeof RegistryForm>

export const Registry = Type.Object({
  registry: Text(255, { description: 'Host, with its port if images name one' }),
  username: Text(255, { description: 'Name of the account' }),
  password: Masked({ maxLength: 8192, description: 'Password or access token' }),
})
export type Registry = Static<typeof Registry>

export const Registries = Type.Array(Registry, { maxItems: 200, description: 'Sorted by the registry' })
