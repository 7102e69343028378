import { quoted } from './quote.ts'
import type { SiteLayout } from './render-tls.ts'
import type { NginxSite } from './site.ts'

/** Renders what serves the files of a site. */
export function staticSite(site: NginxSite, layout: SiteLayout): string[] {
  return [
    ...documentRoot(site, layout),
    '    index index.html index.htm;',
    ...hiddenFiles,
    '    location / {',
    '        try_files $uri $uri/ =404;',
    '    }',
  ]
}

/**
 * Every part of a path that an owner could replace with a symlink to another owner's file is checked, including the
 * document root. A home is an entry of a folder of root, so that the check begins behind it.
 */
export function documentRoot({ root }: NginxSite, { homesDirectory }: SiteLayout): string[] {
  const behind = root.startsWith(`${homesDirectory}/`) ? root.slice(homesDirectory.length + 1) : ''
  const [name] = /^[^./][^/]*(?=\/.)/.exec(behind) ?? []
  const from = name === undefined ? '' : ` ${quoted(`from=${homesDirectory}/${name}`)}`
  return [`    root ${quoted(root)};`, `    disable_symlinks if_not_owner${from};`]
}

/** Hidden files never leave the server. */
export const hiddenFiles = ['    location ~ "/\\.(?!well-known/)" {', '        return 404;', '    }']
