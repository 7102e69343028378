import Type, { type Static } from 'typebox'
import { OneOf, Optional, Prose, Secret, Text, Time } from '../../core/schemas.ts'
import { containerVerbs } from './verbs.ts'

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

export const Line = (maxLength: number, description: string) => Text(maxLength, { description })

/** `[ip:]host:container[/tcp or /udp]`, as entered; a blank one is skipped. */
export const PortText = Line(
  100,
  'Published port: [ip:]host:container[/tcp or /udp], an IPv6 address in brackets',
)
export const PortTexts = Type.Array(PortText, { maxItems: 200, description: 'Published ports' })

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
  restart_policy: Optional(
    OneOf(['', 'no', 'always', 'unless-stopped', 'on-failure'], {
      default: 'no',
      description: 'When the engine starts it again; empty is no',
    }),
  ),
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

const PortProtocol = Line(20, 'port/protocol')
export const OpenedPorts = Type.Array(PortProtocol, {
  maxItems: 200,
  description: 'Ports that the firewall of the panel accepts; those of loopback are not opened',
})
export const Created = Type.Object({
  id: Line(64, 'Id of the container'),
  opened_ports: OpenedPorts,
})

/** From where a published port can be reached. */
export const reaches = ['host', 'sources', 'address', 'anyone'] as const

export const ContainerPort = Type.Object({
  address: Line(45, 'Address of the host; empty for all'),
  port: Type.Integer({ minimum: 0, maximum: 65_535, description: 'Port of the host; 0 if not published' }),
  container_port: Type.Integer({ minimum: 0, maximum: 65_535, description: 'Port in the container' }),
  protocol: Line(10, 'tcp, udp or sctp'),
  reach: OneOf(reaches, {
    description:
      'host: only this host; sources: the listed ones; address: everyone, through one address; anyone: everyone',
  }),
  sources: Type.Array(Line(50, 'Address or network'), {
    maxItems: 10_000,
    description: 'With reach sources: who can reach it',
  }),
})
export type ContainerPort = Static<typeof ContainerPort>

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
  reason: Type.Union([Prose(500, { description: 'Why it cannot be used' }), Type.Null()]),
  containers: Type.Integer({ minimum: 0, description: 'Containers, running or not' }),
  running_containers: Type.Integer({ minimum: 0, description: 'Running containers' }),
  images: Type.Integer({ minimum: 0, description: 'Images' }),
  storage_driver: Line(50, 'How it stores images'),
  has_memory_limits: Type.Boolean({ description: 'Whether the kernel can limit the memory of containers' }),
})

export const RemovalQuery = Type.Object({
  force: Optional(Line(10, '1 removes a running container too')),
})

export const ActionPath = Type.Object({
  ...ContainerPath.properties,
  action: OneOf(containerVerbs, { description: 'What is done' }),
})

export const FullId = Line(64, 'Full id of the container')

export const Switched = Type.Object({ success: Type.Literal(true) })

/** The settings of a container; the values of its environment are bullets. */
export const ContainerConfig = Type.Object({
  image: Line(500, 'Image'),
  name: Line(300, 'Name'),
  ports: Type.Array(PortText, { maxItems: 1000, description: 'Published ports' }),
  env: Type.Array(Line(300, 'KEY=••••••••'), {
    maxItems: 1000,
    description: 'Environment that the container adds to that of its image, with masked values',
  }),
  volumes: Type.Array(Line(9000, 'source:/path, then :ro'), {
    maxItems: 1000,
    description: 'Folders of the host and volumes; anonymous volumes by their names',
  }),
  restart_policy: Line(30, 'no, always, unless-stopped or on-failure'),
  command: Line(70_000, 'Command and arguments; empty for that of the image'),
  network: Line(300, 'bridge, none, host or the name of a network'),
  privileged: Type.Boolean({ description: 'Has every right on the host' }),
  memory_mb: Type.Integer({ minimum: 0, description: 'Most memory in MiB; 0 for no limit' }),
  cpus: Type.Number({ minimum: 0, description: 'Most cores; 0 for no limit' }),
  confirm: Type.Array(Line(9000, 'A path of the host, privileged, or host'), {
    maxItems: 1000,
    description: 'The dangerous options that it has, which an edit has to confirm again',
  }),
})

export const Inspection = Type.Object({
  id: FullId,
  name: Line(300, 'Name'),
  inspection: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The reply of the engine, as docker inspect shows it',
  }),
})

export const LogQuery = Type.Object({
  tail: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 200,
    description: 'Last lines to send first',
    expects: 'a number from 0 to 10000',
  }),
  since: Optional(Time),
  follow: Type.Boolean({ default: true, description: 'Sends new lines until the reader leaves' }),
  search: Optional(Line(200, 'Sends only lines that contain this, without regard to case')),
})
export type LogQuery = Static<typeof LogQuery>

export const ContainerLogLine = Type.Object({
  type: Type.Literal('line'),
  time: Type.Union([Time, Type.Null()]),
  stream: OneOf(['stdout', 'stderr'], { description: 'Where the container printed it' }),
  message: Type.String({ maxLength: 16_384, description: 'The line, cut after 16 KiB' }),
})
export type ContainerLogLine = Static<typeof ContainerLogLine>

export const HistoryEntry = Type.Object({
  change_id: Type.Integer({ minimum: 1, description: 'The change' }),
  summary: Line(1000, 'What it did'),
  outcome: Type.Union([Line(20, 'ok, failed, restored or cancelled'), Type.Null()]),
  error: Type.Union([Type.String({ maxLength: 10_000, description: 'Why it failed' }), Type.Null()]),
  user_id: Type.Union([Type.Integer({ description: 'Who asked for it' }), Type.Null()]),
  created_at: Time,
})
export const History = Type.Array(HistoryEntry, { maxItems: 200 })

export const CloneDraft = Type.Object({
  name: ContainerName,
  ports: Optional(PortTexts),
})
export type CloneDraft = Static<typeof CloneDraft>

export const FolderName = Type.String({
  maxLength: 255,
  pattern: namePattern,
  description: 'Folder of the volume archives',
  expects: 'the folder of a backup',
})
const Archive = Line(50, 'File of a volume')
export const Backup = Type.Object({
  image: Line(500, 'Image of the files of the container'),
  folder: FolderName,
  volume_archives: Type.Array(Archive, { maxItems: 1000, description: 'One file for each volume' }),
})

export const BackupList = Type.Object({
  images: Type.Array(
    Type.Object({
      id: Line(100, 'Id of the image'),
      image: Line(500, 'Image'),
      size: Type.Number({ minimum: 0, description: 'Bytes' }),
      created: Time,
    }),
    { maxItems: 10_000, description: 'Images of backups' },
  ),
  volume_archives: Type.Array(Type.Object({ folder: FolderName, name: Archive }), {
    maxItems: 100_000,
    description: 'Archives of volumes',
  }),
})

export const RestoreDraft = Type.Object({
  image: ImageName,
  folder: FolderName,
  name: ContainerName,
  ports: Optional(PortTexts),
})
export type RestoreDraft = Static<typeof RestoreDraft>
