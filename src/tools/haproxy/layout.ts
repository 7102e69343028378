/** The paths of HAProxy and of the files that the panel gives it. */
export interface HaproxyLayout {
  readonly configPath: string
  /** Private: contains keys. */
  readonly certificatesDirectory: string
  readonly backupsDirectory: string
  readonly masterSocketPath: string
  readonly pidPath: string
  readonly service: string
}

/** The layout of Debian's haproxy package. */
export const debianLayout: HaproxyLayout = {
  configPath: '/etc/haproxy/haproxy.cfg',
  certificatesDirectory: '/etc/haproxy/certs',
  backupsDirectory: '/var/lib/hostreeve-haproxy/backups',
  masterSocketPath: '/run/haproxy-master.sock',
  pidPath: '/run/haproxy.pid',
  service: 'haproxy',
}
