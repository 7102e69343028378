import Type, { type Static } from 'typebox'
import { Optional, Port, Text } from '../../../core/schemas.ts'

const Alias = Text(300, { minLength: 1, description: 'User, group:NAME, address, network, tag:NAME or *' })
const Aliases = (description: string) => Type.Array(Alias, { minItems: 1, maxItems: 200, description })

const AclRule = Type.Object({
  action: Text(20, { description: 'accept' }),
  src: Aliases('Who may connect'),
  dst: Aliases('Where to: the same, followed by : and ports, such as *:* or group:web:80,443'),
})
export type AclRule = Static<typeof AclRule>

const Groups = Type.Record(
  Type.String({ maxLength: 70, pattern: '^(?:group:)?[A-Za-z0-9][A-Za-z0-9_-]{0,62}$' }),
  Type.Array(Text(260, { minLength: 1, description: 'User of the mesh' }), { maxItems: 500 }),
  {
    maxProperties: 200,
    additionalProperties: false,
    description: 'Users by the name of their group',
    expects: 'an object with names of groups, of letters, digits, - and _, and lists of their users',
  },
)
export type AclGroups = Static<typeof Groups>

export const VpnAcl = Type.Object({
  groups: Groups,
  acls: Type.Array(AclRule, { maxItems: 1001 }),
  autoApprovers: Type.Object({
    routes: Type.Record(Type.String({ maxLength: 49 }), Type.Array(Text(300), { maxItems: 200 }), {
      description: 'Networks that are enabled as soon as such a node offers them',
    }),
    exitNode: Type.Array(Text(300), { maxItems: 200 }),
  }),
})
export type VpnAcl = Static<typeof VpnAcl>

export const VpnAclEdit = Type.Object({
  groups: Optional(Groups),
  acls: Optional(Type.Array(AclRule, { maxItems: 1000, description: 'What is allowed; the rest is not' })),
  autoApprovers: Optional(Type.Object({}, { description: 'Ignored: the panel sets it' })),
})
export type VpnAclEdit = Static<typeof VpnAclEdit>

export const VpnAclQuestion = Type.Object({
  src: Text(260, { minLength: 1, description: 'User, node, or address of a node' }),
  address: Type.String({
    maxLength: 45,
    pattern: '^[0-9a-fA-F:.]{2,45}$',
    description: 'Where to',
    expects: 'an address such as 100.64.0.7',
  }),
  port: Port,
})
export type VpnAclQuestion = Static<typeof VpnAclQuestion>

export const VpnAclAnswer = Type.Object({
  allowed: Type.Boolean(),
  rule: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'The first rule that allows it, from 1; null if none does, or there are no rules',
  }),
  via: Type.Union([Text(255), Type.Null()], {
    description: 'The node that has the address, or through which it is reached; null if none',
  }),
  reason: Text(1000),
})
export type VpnAclAnswer = Static<typeof VpnAclAnswer>
