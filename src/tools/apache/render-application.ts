import { literal } from '../nginx/quote.ts'
import type { Application } from '../nginx/render-application.ts'
import type { ApacheLayout } from './layout.ts'
import { count, quoted } from './quote.ts'
import { bodyLimit, executed } from './render-php.ts'
import { fileAccess, logFormat, tlsLines } from './render-shared.ts'
import { wildcards } from './render-site.ts'

/** Renders an application over TLS alone, on a port of its own. Its paths are not logged: one of them signs somebody in. */
export function renderApplication(application: Application, layout: Pick<ApacheLayout, 'listenTls'>): string {
  const { port, alias, root, hidden, certificate, bodyMb, socket, seconds } = application
  if (!/^[a-z0-9]{1,64}$/.test(alias)) throw new Error(`not an alias: ${JSON.stringify(alias)}`)
  const address = layout.listenTls.replace(/[0-9]+$/, count(port))
  return [
    `<IfDefine !${wildcards}>`,
    `Listen ${address.replace(/^\*:/, '')}`,
    `<VirtualHost ${address}>`,
    '    ServerName application.hostreeve.invalid',
    '    ServerSignature Off',
    `    CustomLog "/dev/null" ${logFormat}`,
    ...tlsLines(certificate.cert, certificate.key),
    ...fileAccess,
    ...bodyLimit(bodyMb),
    '    Header set Referrer-Policy no-referrer',
    `    RedirectMatch 404 ${quoted(`^/(?!${alias}(?:/|$))`)}`,
    `    RedirectMatch 301 ${quoted(`^/${alias}$`)} ${quoted(`/${alias}/`)}`,
    `    RedirectMatch 404 ${quoted(`^/${alias}/(?:${hidden.map(literal).join('|')})(?:/|$)`)}`,
    `    RedirectMatch 404 ${quoted('/\\.')}`,
    // what follows a script in a path is none
    `    RedirectMatch 404 ${quoted('\\.php/')}`,
    `    Alias ${quoted(`/${alias}/`)} ${quoted(`${root}/`)}`,
    '    DirectoryIndex index.php',
    ...executed(socket, seconds),
    '</VirtualHost>',
    '</IfDefine>',
    '',
  ].join('\n')
}
