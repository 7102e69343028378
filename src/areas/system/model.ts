import Type, { type Static } from 'typebox'
import { Hostname, OneOf, Text } from '../../core/schemas.ts'
import { transports } from '../../host/reach/index.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const Disk = Type.Object({
  mount: Text(4096, { description: 'Mount point' }),
  device: Text(4096),
  type: Text(50, { description: 'File system' }),
  size_bytes: Count('Size'),
  used_bytes: Count('Used'),
  available_bytes: Count('Available to ordinary users'),
})
export type Disk = Static<typeof Disk>

export const SystemInfo = Type.Object({
  hostname: Text(253),
  os: Text(200, { description: 'Distribution and its version' }),
  kernel: Text(200),
  architecture: Text(50),
  cpu: Type.Object({ model: Text(200), cores: Count('Logical processors') }),
  memory: Type.Object({
    total_bytes: Count('Memory'),
    available_bytes: Count('Available without swapping'),
    swap_total_bytes: Count('Swap'),
    swap_free_bytes: Count('Free swap'),
  }),
  disks: Type.Array(Disk, { maxItems: 500 }),
  uptime_seconds: Count('Since the host started'),
  load: Type.Array(Type.Number({ minimum: 0 }), {
    minItems: 3,
    maxItems: 3,
    description: 'Load average over 1, 5 and 15 minutes',
  }),
  panel: Type.Object({
    version: Text(50),
    uptime_seconds: Count('Since the panel started'),
    memory_bytes: Count('Resident memory of the panel'),
    user: Text(256, { description: 'Linux user that it runs as' }),
    is_root: Type.Boolean({ description: 'Whether it runs as root' }),
  }),
})
export type SystemInfo = Static<typeof SystemInfo>

export const Ips = Type.Object({
  ips: Type.Array(Text(15, { description: 'IPv4 address' }), {
    maxItems: 500,
    description: 'The IPv4 addresses of this host, without loopback',
  }),
})

export const PortAsked = Type.Object({
  host: Type.String({
    minLength: 1,
    maxLength: 253,
    pattern: '^[A-Za-z0-9_:[][A-Za-z0-9._:%\\[\\]-]*$',
    description: 'Name or address of the host',
    'x-typed': 'hostname',
    expects: 'a host name or an IP address',
  }),
  port: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Above 65535, 65535 is asked',
    expects: 'a port from 1 to 65535',
  }),
  protocol: OneOf(transports, { default: 'tcp' }),
})
export type PortAsked = Static<typeof PortAsked>

export const PortState = Type.Object({
  open: Type.Boolean({ description: 'Whether the port answers; an open UDP port may not' }),
  message: Text(500, { description: 'What was answered' }),
  time_ms: Text(20, { description: 'Milliseconds until the answer; empty where it is closed' }),
})
export type PortState = Static<typeof PortState>

const Address = (description: string) => Text(45, { description })

export const PublicIp = Type.Object({
  server: Address('Address of this host on the internet, IPv4 if it has one; empty if it is unknown'),
  server_ipv4: Address('Its IPv4 address'),
  server_ipv6: Address('Its IPv6 address'),
  server_info: Text(300, { description: 'Where the addresses are known from' }),
  client: Address('Your address'),
})
export type PublicIp = Static<typeof PublicIp>

const Rate = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, in bytes per second` })

export const MetricSample = Type.Object({
  ts: Type.Integer({ minimum: 0, description: 'Unix time in seconds' }),
  cpu: Type.Number({ minimum: 0, maximum: 100, description: 'Busy time of all processors, in percent' }),
  load: Type.Number({ minimum: 0, description: 'Load average over 1 minute' }),
  mem_mb: Count('Used memory in MiB'),
  mem_total_mb: Count('Memory in MiB'),
  disk_gb: Count('Used space of the local file systems in GiB'),
  disk_total_gb: Count('Their size in GiB'),
  disk_read: Rate('Read from disks'),
  disk_write: Rate('Written to disks'),
  net_rx: Rate('Received'),
  net_tx: Rate('Sent'),
})
export type MetricSample = Static<typeof MetricSample>

export const Metrics = Type.Object({
  every_seconds: Count('Seconds between two samples'),
  samples: Type.Array(MetricSample, { maxItems: 360, description: 'The oldest first, of the last hour' }),
})

export const MetricsQuery = Type.Object({
  since: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Only samples after this Unix time in seconds',
    expects: 'a Unix time in seconds',
  }),
})

export const Overwriting = Type.Object({
  overwrite: Type.Boolean({
    default: false,
    description: 'Whether a file that was edited by hand is replaced; the plan shows what would be lost',
  }),
})

export const Rewritten = Type.Object({
  written: Type.Array(Hostname, { maxItems: 100_000, description: 'The websites whose files were written' }),
  left: Type.Array(Type.Object({ domain: Hostname, reason: Text(500) }), {
    maxItems: 100_000,
    description: 'Those that were left as they are, and why',
  }),
})
export type Rewritten = Static<typeof Rewritten>
