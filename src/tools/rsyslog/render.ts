import { parseNetwork } from '../../host/networks.ts'
import { queueName, spool } from './layout.ts'

/** Where log lines come from, and where else they go. */
export interface SourceSettings {
  readonly id: number
  readonly name: string
  /** Null for a source of local lines alone. */
  readonly listens: Listening | null
  readonly includesLocal: boolean
  /** Addresses and IPv4 networks of senders; empty for all. */
  readonly allowed: readonly string[]
  readonly replicateTo: { readonly host: string; readonly port: number } | null
  /** The nodes of a cluster that receive the lines, as URLs; absent for the node of this host. */
  readonly nodes?: readonly string[]
}

/** Where lines arrive. TLS is a driver of the input for TCP, with a certificate of its own. */
export type Listening =
  | { readonly protocol: 'udp' | 'tcp'; readonly port: number }
  | { readonly protocol: 'tls'; readonly port: number; readonly certificate: CertificateFiles }

/** The paths of a certificate with its chain, and of its key. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** What a port is taken on. */
export const transportOf = (protocol: Listening['protocol']): 'udp' | 'tcp' =>
  protocol === 'udp' ? 'udp' : 'tcp'

/** The modules of rsyslog that sources need. */
export const modules = ['omelasticsearch', 'mmutf8fix', 'imudp', 'imtcp'] as const
export type Module = (typeof modules)[number]

/**
 * Renders what all sources share. The identifier of a line is drawn before it is queued, so that a batch that
 * is sent again creates no line twice; its time is that of its arrival, as senders' clocks differ.
 */
export const renderShared = (loads: readonly Module[]): string => `# What the sources of the log store share.
${loads.map((name) => `module(load="${name}")\n`).join('')}
template(name="hostreeve_index" type="list") {
  constant(value="hostreeve-logs-")
  property(name="timegenerated" dateFormat="year" date.inUTC="on")
  constant(value=".")
  property(name="timegenerated" dateFormat="month" date.inUTC="on")
  constant(value=".")
  property(name="timegenerated" dateFormat="day" date.inUTC="on")
}
template(name="hostreeve_id" type="list") {
  property(name="$!hostreeve!id")
}
template(name="hostreeve_line" type="list" option.jsonf="on") {
  property(outname="@timestamp" name="timegenerated" dateFormat="rfc3339" date.inUTC="on" format="jsonf")
  property(outname="message" name="$!hostreeve!message" format="jsonf")
  property(outname="host" name="hostname" format="jsonf")
  property(outname="program" name="programname" format="jsonf")
  property(outname="pid" name="procid" format="jsonf")
  property(outname="severity" name="syslogseverity-text" format="jsonf")
  property(outname="facility" name="syslogfacility-text" format="jsonf")
  property(outname="source" name="$!hostreeve!source" format="jsonf")
  property(outname="source_ip" name="fromhost-ip" format="jsonf")
}
`

/**
 * Renders one source with a ruleset and queues of its own. Bytes that are not UTF-8 are replaced: OpenSearch refuses
 * a line with them.
 */
export function renderSource(source: SourceSettings): string {
  const { id, name, listens, includesLocal, allowed } = source
  const ruleset = `hostreeve_source_${id}`
  return `# Source ${id} of the log store.
ruleset(name="${ruleset}") {
${allowed.length === 0 ? '' : `  if not (${isAllowed(allowed, includesLocal)}) then {\n    stop\n  }\n`}  action(type="mmutf8fix" replacementChar="?")
  set $!hostreeve!id = $uuid;
  set $!hostreeve!source = ${quoted(name)};
  set $!hostreeve!message = ltrim($msg);
${renderStore(source)}${renderCopy(source)}}
${listens === null ? '' : renderInput(listens, ruleset)}${includesLocal ? `if ${isLocal} then {\n  call ${ruleset}\n}\n` : ''}`
}

/** Senders are not asked for a certificate: the addresses that may send are a condition of the ruleset. */
function renderInput(listens: Listening, ruleset: string): string {
  const input = `input(type="im${transportOf(listens.protocol)}" port="${listens.port}" ruleset="${ruleset}"`
  if (listens.protocol !== 'tls') return `${input})\n`
  const { cert, key } = listens.certificate
  return `${input}
  streamdriver.name="gtls" streamdriver.mode="1" streamdriver.authmode="anon"
  streamdriver.cafile=${quoted(cert)} streamdriver.certfile=${quoted(cert)} streamdriver.keyfile=${quoted(key)})
`
}

/** `searchType` must be empty: OpenSearch refuses the type that rsyslog sends otherwise. */
const renderStore = ({
  id,
  nodes,
}: SourceSettings): string => `  action(type="omelasticsearch" name="${queueName(id)}"
    ${serverOf(nodes)} esVersion.major="7" searchType=""
    template="hostreeve_line" searchIndex="hostreeve_index" dynSearchIndex="on"
    writeoperation="create" bulkid="hostreeve_id" dynbulkid="on" bulkmode="on" maxbytes="10m"
    errorFile="${spool}/${queueName(id)}.errors"
${queueOf(queueName(id))})
`

const serverOf = (nodes: readonly string[] | undefined): string =>
  nodes === undefined ? 'server="127.0.0.1" serverport="9200"' : `server=[${nodes.map(quoted).join(', ')}]`

function renderCopy({ id, replicateTo }: SourceSettings): string {
  if (replicateTo === null) return ''
  const { host, port } = replicateTo
  return `  action(type="omfwd" name="${queueName(id)}-copy" target=${quoted(host)} port="${port}" protocol="tcp"
    template="RSYSLOG_ForwardFormat"
${queueOf(`${queueName(id)}-copy`)})
`
}

/** Lines wait on the disk for as long as the receiver is away. */
const queueOf = (
  name: string,
): string => `    queue.type="LinkedList" queue.size="10000" queue.dequeuebatchsize="500"
    queue.filename="${name}" queue.spoolDirectory="${spool}" queue.maxdiskspace="1g" queue.saveonshutdown="on"
    action.resumeRetryCount="-1" action.resumeInterval="2"`

/** The inputs of the host itself, its own messages included. */
const localInputs = ['imuxsock', 'imklog', 'imjournal', 'rsyslogd']
const isLocal = `(${localInputs.map((input) => `$inputname == "${input}"`).join(' or ')})`

function isAllowed(allowed: readonly string[], includesLocal: boolean): string {
  const conditions = allowed.map(conditionOf)
  return [...(includesLocal ? [isLocal] : []), ...conditions].join(' or ')
}

/** rsyslog compares IPv4 networks as numbers; it has no function for those of IPv6. */
function conditionOf(text: string): string {
  const network = parseNetwork(text)
  if (network === undefined) throw new Error(`${text} is no address`)
  const { family, address, prefix } = network
  if (family === 'ipv6') return `$fromhost-ip == "${new URL(`http://[${address}]/`).hostname.slice(1, -1)}"`
  if (prefix === 32) return `$fromhost-ip == "${address}"`
  const size = 2 ** (32 - prefix)
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const first = Math.floor(number / size) * size
  return `(ip42num($fromhost-ip) >= ${first} and ip42num($fromhost-ip) <= ${first + size - 1})`
}

/** A constant of RainerScript: quotes, backslashes and dollars are escaped. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\$]/g, (one) => `\\${one}`)}"`
