import type { NginxSite } from '../nginx/site.ts'

/** Lists what a site has that Apache does not, each with the reason. */
export function lacks({
  proxy,
  options,
  accessOwner,
  php,
}: Pick<NginxSite, 'php' | 'proxy' | 'options' | 'accessOwner'>): readonly string[] {
  const { directives = [], redirects = [], refusedScripts = [], signInScript } = options ?? {}
  return [
    ...(refusedScripts.length === 0 && signInScript === undefined
      ? []
      : ['scripts are refused and sign-ins limited by nginx alone']),
    ...(redirects.some(({ isPrefix }) => isPrefix)
      ? ['redirects with prefix are rewritten by nginx alone']
      : []),
    ...(accessOwner === undefined ? [] : ['access rules are evaluated by a module of nginx']),
    ...(php?.cache === undefined ? [] : ['the page cache is one of nginx']),
    ...(directives.length === 0 ? [] : ['directives are those of nginx']),
    ...(typeof proxy?.tls?.name === 'string'
      ? [
          'Apache cannot check the certificate of an upstream by its name and connect to the address that was checked',
        ]
      : []),
  ]
}

/** What websites cannot have under Apache, for people: the features, each with the reason. */
export const missingInApache = [
  { feature: 'Access rules of websites', reason: 'A module of nginx evaluates them' },
  { feature: 'Redirects of whole folders', reason: 'nginx rewrites them' },
  { feature: 'XML-RPC off and a limit of sign-ins of WordPress', reason: 'nginx refuses and limits them' },
  { feature: 'The page cache of a website', reason: 'nginx keeps the pages' },
  { feature: 'Further directives of a website', reason: 'They are those of nginx' },
  {
    feature: 'Uploads that do not say their length, to PHP and upstreams',
    reason: 'Apache does not limit them: they are refused with 411',
  },
  {
    feature: 'Upstreams over TLS whose certificate has a name',
    reason: 'Apache would look the name up itself instead of connecting to the address that was checked',
  },
] as const
