/** Where HAProxy and what the panel gives it lie. */
export interface HaproxyLayout {
  readonly configPath: string
  /** Private: keys are in it. */
  readonly certificatesDirectory: string
  readonly backupsDirectory: string
  readonly masterSocketPath: string
  readonly pidPath: string
  readonly service: string
}

/** The layout of Debian's haproxy. */
export const debianLayout: HaproxyLayout = {
  configPath: '/etc/haproxy/haproxy.cfg',
  certificatesDirectory: '/etc/haproxy/certs',
  backupsDirectory: '/var/lib/hostreeve-haproxy/backups',
  masterSocketPath: '/run/haproxy-master.sock',
  pidPath: '/run/haproxy.pid',
  service: 'haproxy',
}
