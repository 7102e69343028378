import { authorityPath, type Purpose, queueName, spool } from './layout.ts'

/** A server that log lines are sent to. */
export interface Target {
  /** A host name or an address. */
  readonly server: string
  readonly port: number
  readonly protocol: 'tcp' | 'tls'
  /** Certificates in PEM that the one of the server is checked against; empty for those that the host trusts. */
  readonly ca: string
}

const trusted = '/etc/ssl/certs/ca-certificates.crt'

/** The programs whose lines belong to the SSH audit: sshd, its sessions since OpenSSH 9.8, and the audit of the kernel. */
const auditPrograms = ['sshd', 'sshd-session', 'audit', 'auditd', 'audisp-syslog']

/**
 * Renders the rule that sends lines to a server. They wait in memory and then on the disk for as long as the server is
 * away, also while rsyslog is restarted. A restart drops the batch that is being tried (processBatchMain of rsyslog marks
 * it as sent before it is), so that a batch is one line.
 */
export function renderRule(purpose: Purpose, target: Target): string {
  const action = renderAction(purpose, target)
  const programs = auditPrograms.map(quoted).join(', ')
  return purpose === 'remote'
    ? `# Sends every log line of this host to another server.\n${action}`
    : `# Sends the log lines of the SSH audit to another server.\nif $programname == [${programs}] then {\n${action}}\n`
}

const renderAction = (
  purpose: Purpose,
  target: Target,
): string => `action(type="omfwd" name="${queueName(purpose)}"
  target=${quoted(target.server)} port="${target.port}" protocol="tcp"
  template="RSYSLOG_SyslogProtocol23Format" TCP_Framing="octet-counted"
${target.protocol === 'tls' ? renderTls(purpose, target) : ''}  queue.type="LinkedList" queue.size="10000" queue.dequeuebatchsize="1"
  queue.filename="${queueName(purpose)}" queue.spoolDirectory="${spool}"
  queue.maxdiskspace="1g" queue.saveonshutdown="on"
  action.resumeRetryCount="-1" action.resumeInterval="5")
`

/** The certificate of the server must name it (rsyslog's ns_gtls, `x509/name`). */
const renderTls = (purpose: Purpose, { server, ca }: Target): string =>
  `  StreamDriver="gtls" StreamDriverMode="1" StreamDriverAuthMode="x509/name"
  StreamDriverPermittedPeers=${quoted(server)} StreamDriver.CAFile="${ca === '' ? trusted : authorityPath(purpose)}"
`

/** A constant of RainerScript: quotes, backslashes and dollars are escaped. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\$]/g, (one) => `\\${one}`)}"`
