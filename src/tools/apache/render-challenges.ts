import { hostWord } from '../nginx/quote.ts'
import type { ApacheLayout } from './layout.ts'
import { allButChallenges, answers, fileAccess, logFormat, openChallenges } from './render-shared.ts'
import { wildcards } from './render-site.ts'

/** Renders a virtual host that answers the challenges for a name that belongs to no website, and nothing else. */
export function renderChallenges(name: string, layout: Pick<ApacheLayout, 'listen' | 'shared'>): string {
  return [
    `<IfDefine !${wildcards}>`,
    `<VirtualHost ${layout.listen}>`,
    `    ServerName ${hostWord(name)}`,
    '    ServerSignature Off',
    `    CustomLog "/dev/null" ${logFormat}`,
    ...fileAccess,
    answers(layout.shared),
    `    RedirectMatch 404 ${allButChallenges}`,
    ...openChallenges,
    '</VirtualHost>',
    '</IfDefine>',
    '',
  ].join('\n')
}
