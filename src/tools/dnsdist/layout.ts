/** The paths of dnsdist and of the files that the panel gives it. */
export interface DnsdistLayout {
  /** Edited by people too; includes the panel's rules. */
  readonly configPath: string
  /** Readable by the account of dnsdist: the panel's rules, and the constant databases of domain names. */
  readonly directory: string
  readonly service: string
}

/** The layout of Debian's dnsdist package. */
export const debianLayout: DnsdistLayout = {
  configPath: '/etc/dnsdist/dnsdist.conf',
  directory: '/etc/dnsdist/hostreeve',
  service: 'dnsdist',
}

/** The path of the rules that the panel renders. */
export const balancerPath = ({ directory }: DnsdistLayout): string => `${directory}/balancer.conf`
/** The path of the settings of the console, with its key. */
export const consolePath = ({ directory }: DnsdistLayout): string => `${directory}/console.conf`
/** The path of the settings of the HTTP API, with its key. */
export const apiPath = ({ directory }: DnsdistLayout): string => `${directory}/api.conf`
