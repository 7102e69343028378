import Type, { type Static } from 'typebox'
import { OneOf, Optional } from '../../../core/schemas.ts'
import { Line, reaches } from '../model.ts'

const Network = Type.String({
  maxLength: 50,
  pattern: '^[0-9a-fA-F:./]+$',
  description: 'Address or network',
  expects: 'an address or a network such as 192.0.2.0/24',
})
const HostPort = Type.Integer({
  minimum: 1,
  maximum: 65_535,
  description: 'Port of the host',
  expects: 'a port from 1 to 65535',
})
const PortProtocol = OneOf(['tcp', 'udp'], { description: 'Protocol' })
const Networks = (description: string) =>
  Type.Array(Line(50, 'Address or network'), { maxItems: 10_000, description })

export const ExposedPort = Type.Object({
  id: Line(64, 'Full id of the container'),
  container: Line(300, 'Name of the container'),
  address: Line(45, 'Address of the host; empty for all'),
  port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'Port of the host' }),
  container_port: Type.Integer({ minimum: 0, maximum: 65_535, description: 'Port in the container' }),
  protocol: Line(10, 'tcp, udp or sctp'),
  reach: OneOf(reaches, {
    description:
      'host: only this host; sources: the listed ones; address: everyone, through one address; anyone: everyone',
  }),
  sources: Networks('With reach sources: who can reach it'),
  denied: Networks('Who cannot, although others can'),
  limit: Type.Union([Networks('Limit that the panel keeps: who may reach it'), Type.Null()]),
})
export type ExposedPort = Static<typeof ExposedPort>

export const Exposure = Type.Object({
  ports: Type.Array(ExposedPort, {
    maxItems: 10_000,
    description: 'Published ports of running containers, the widest reach first',
  }),
  host_network: Type.Array(Line(300, 'Name of a container'), {
    maxItems: 10_000,
    description:
      'Running containers in the network of the host, whose programs listen there: the rules of the firewall apply to them',
  }),
  is_filtered: Type.Boolean({
    description:
      'Whether the rules of DOCKER-USER could be read; otherwise every published port counts as open',
  }),
  unread_rules: Type.Array(Line(1000, 'Rule as iptables prints it'), {
    maxItems: 1000,
    description: 'Rules with conditions that the panel does not read, which may close more than is shown',
  }),
})
export type Exposure = Static<typeof Exposure>

const Sources = Type.Array(Network, {
  maxItems: 1000,
  description: 'Who may reach it; none for this host alone',
})

/** What the form of a limit asks for. */
export const LimitForm = Type.Object({ sources: Sources })

export const LimitDraft = Type.Object({
  port: HostPort,
  protocol: Optional(PortProtocol),
  sources: Type.Union([Sources, Type.Null()], {
    expects: 'a list of addresses and networks, or null for everyone',
  }),
})
export type LimitDraft = Static<typeof LimitDraft>

export const Limit = Type.Object({
  port: HostPort,
  protocol: PortProtocol,
  sources: Type.Union([Networks('Who may reach it; none for this host alone'), Type.Null()]),
})
