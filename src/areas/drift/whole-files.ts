/** Files of a program that its own steps check, write and load as a whole. */
interface WholeFiles {
  readonly program: string
  readonly paths: RegExp
  /** What follows the first group on its line is a secret. */
  readonly secrets?: RegExp
}

const wholeFiles: readonly WholeFiles[] = [
  { program: 'auditd', paths: /^\/etc\/audit\/rules\.d\/50-hostreeve-ssh\.rules$/ },
  { program: 'cron', paths: /^\/etc\/cron\.d\/hostreeve-site-\d+$/ },
  {
    program: 'dnsdist',
    paths: /^\/etc\/dnsdist\/(?:dnsdist|hostreeve\/(?:balancer|console|api))\.conf$/,
    secrets: /((?:setKey|setWebserverConfig|apiKey|password)[ \t]*[(=]).*$/gm,
  },
  {
    program: 'keepalived',
    paths: /^\/etc\/keepalived\/keepalived\.conf$/,
    secrets: /^([ \t]*auth_pass[ \t]).*$/gm,
  },
  {
    program: 'php-fpm',
    paths: /^\/etc\/(?:php\/[\d.]+\/fpm\/hostreeve\/.+\.conf|systemd\/system\/hostreeve-php[^/]+\.service)$/,
    secrets: /^(env\[[^\]]*\]|php_(?:admin_)?value\[[^\]]*path\]).*$/gm,
  },
  {
    program: 'powerdns',
    paths: /^\/etc\/powerdns\/pdns\.d\/hostreeve(?:\.\w+)?\.conf$/,
    secrets: /^([\w-]*(?:key|password)[ \t]*\+?=).*$/gm,
  },
  {
    program: 'strongswan',
    paths: /^\/etc\/swanctl\/conf\.d\/hostreeve-\d+\.conf$/,
    secrets: /^([ \t]*secret[ \t]*=).*$/gm,
  },
  { program: 'sudo', paths: /^\/etc\/sudoers\.d\/hostreeve-[^/]+$/ },
]

/** Returns the program of a file that is written as a whole, and how its text is shown; undefined for other files. */
export function wholeFileAt(path: string) {
  const found = wholeFiles.find(({ paths }) => paths.test(path))
  if (found === undefined) return undefined
  const { program, secrets } = found
  return { program, mask: (text: string) => (secrets === undefined ? text : text.replace(secrets, '$1•••')) }
}
