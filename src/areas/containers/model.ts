import Type, { type Static } from 'typebox'
import { OneOf, Optional, Secret, Text, Time } from '../../core/schemas.ts'

const namePattern = '^[a-zA-Z0-9][a-zA-Z0-9_.-]*$'
const nameExpects = 'letters, digits, _, . and -, beginning with a letter or a digit'

export const ContainerName = Type.String({
  maxLength: 200,
  pattern: namePattern,
  description: 'Name of the container',
  expects: `a name: ${nameExpects}`,
})

export const ImageName = Type.String({
  maxLength: 500,
  pattern: '^[a-zA-Z0-9][a-zA-Z0-9._/:@-]*$',
  description: 'Image, such as nginx:1.27 or registry.example.com/shop@sha256:…',
  expects: 'the name of an image such as nginx:1.27',
})

export const ContainerPath = Type.Object({
  id: Type.String({
    maxLength: 200,
    pattern: namePattern,
    description: 'Id of the container, its first 12 digits or more, or its name',
    expects: `the id or the name of a container: ${nameExpects}`,
  }),
})

const Line = (maxLength: number, description: string) => Text(maxLength, { description })

/** `[ip:]host:container[/tcp or /udp]`, as entered; a blank one is skipped. */
export const PortText = Line(
  100,
  'Published port: [ip:]host:container[/tcp or /udp], an IPv6 address in brackets',
)
export const PortTexts = Type.Array(PortText, { maxItems: 200, description: 'Published ports' })

const policies = ['', 'no', 'always', 'unless-stopped', 'on-failure'] as const

export const ContainerDraft = Type.Object({
  image: ImageName,
  name: Optional(ContainerName),
  ports: Optional(PortTexts),
  env: Optional(
    Type.Array(Secret({ maxLength: 32_000, description: 'KEY=value' }), {
      maxItems: 500,
      description: 'Environment; a value of bullets keeps that of the container',
    }),
  ),
  volumes: Optional(
    Type.Array(Line(1000, '/host:/container or named:/container, then :ro or :rw'), {
      maxItems: 200,
      description: 'Folders of the host and volumes',
    }),
  ),
  restart_policy: Optional(OneOf(policies, { description: 'When the engine starts it again; empty is no' })),
  command: Optional(Line(8000, 'Command and arguments, split at white space; empty for that of the image')),
  network: Optional(
    Type.String({
      maxLength: 200,
      pattern: namePattern,
      default: 'bridge',
      description: 'bridge, none, the name of a network, or host for that of the host',
      expects: 'bridge, none, host or the name of a network',
    }),
  ),
  privileged: Optional(Type.Boolean({ default: false, description: 'Gives it every right on the host' })),
  memory_mb: Optional(
    Type.Integer({
      minimum: 0,
      maximum: 16_777_216,
      default: 0,
      description: 'Most memory in MiB; 0 for no limit',
      expects: '0 for no limit, or at least 6',
    }),
  ),
  cpus: Optional(
    Type.Number({
      minimum: 0,
      maximum: 1024,
      default: 0,
      description: 'Most cores; 0 for no limit',
      expects: '0 for no limit, or a number such as 1.5',
    }),
  ),
  confirm: Optional(
    Type.Array(Line(1000, 'A path of the host, privileged, or host'), {
      maxItems: 100,
      description: 'The dangerous options that are meant: paths of the host, privileged, host',
    }),
  ),
})
export type ContainerDraft = Static<typeof ContainerDraft>

/** The input of the work: with what was drawn for the request. */
export const CreateInput = Type.Object({
  draft: ContainerDraft,
  name: ContainerName,
  token: Line(100, 'Names the change at the engine'),
})

const PortProtocol = Line(20, 'port/protocol')
export const Created = Type.Object({
  id: Line(64, 'Id of the container'),
  opened_ports: Type.Array(PortProtocol, {
    maxItems: 200,
    description: 'Ports that the firewall of the panel accepts; those of loopback are not opened',
  }),
})

/** From where a published port can be reached. */
export const reaches = ['host', 'address', 'anyone'] as const

export const ContainerPort = Type.Object({
  address: Line(45, 'Address of the host; empty for all'),
  port: Type.Integer({ minimum: 0, maximum: 65_535, description: 'Port of the host; 0 if not published' }),
  container_port: Type.Integer({ minimum: 0, maximum: 65_535, description: 'Port in the container' }),
  protocol: Line(10, 'tcp, udp or sctp'),
  reach: OneOf(reaches, {
    description: 'host: only this host; address: through one address; anyone: through every address',
  }),
})
export type ContainerPort = Static<typeof ContainerPort>

export const states = ['running', 'exited', 'created', 'paused'] as const

export const Container = Type.Object({
  id: Line(64, 'Full id'),
  name: Line(300, 'Name'),
  image: Line(500, 'Image'),
  state: Line(20, 'running, exited, created or paused; while the engine restarts it: restarting'),
  status: Line(300, 'State with its time, as the engine tells it'),
  health: OneOf(['', 'starting', 'healthy', 'unhealthy'], { description: 'Empty without a health check' }),
  ports: Line(4000, 'Published ports, as docker ps shows them'),
  published: Type.Array(ContainerPort, { maxItems: 1000, description: 'Published ports, with their reach' }),
  created: Time,
  replaced_by: Line(300, 'Name of the container that an edit put in its place; empty for any other'),
})
export type Container = Static<typeof Container>
export const Containers = Type.Array(Container, { maxItems: 10_000 })

export const EngineStatus = Type.Object({
  installed: Type.Boolean({ description: 'Whether the package is installed' }),
  running: Type.Boolean({ description: 'Whether the engine answers' }),
  version: Type.Union([Line(100, 'Version'), Type.Null()]),
  api_version: Type.Union([Line(20, 'Version of its API'), Type.Null()]),
  reason: Type.Union([Line(500, 'Why it cannot be used'), Type.Null()]),
  containers: Type.Integer({ minimum: 0, description: 'Containers, running or not' }),
  running_containers: Type.Integer({ minimum: 0, description: 'Running containers' }),
  images: Type.Integer({ minimum: 0, description: 'Images' }),
  storage_driver: Line(50, 'How it stores images'),
  has_memory_limits: Type.Boolean({ description: 'Whether the kernel can limit the memory of containers' }),
})
