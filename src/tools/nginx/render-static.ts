import { quoted } from './quote.ts'
import type { NginxSite } from './site.ts'

/** Renders what serves the files of a site. */
export function staticSite(site: NginxSite): string[] {
  return [
    ...documentRoot(site),
    '    index index.html index.htm;',
    ...hiddenFiles,
    '    location / {',
    '        try_files $uri $uri/ =404;',
    '    }',
  ]
}

/**
 * Every component of the path is checked, including the document root: its owner could replace it with a
 * symlink to another owner's site.
 */
export function documentRoot({ root }: NginxSite): string[] {
  return [`    root ${quoted(root)};`]
}

/** Hidden files never leave the server. */
export const hiddenFiles = [
  '    disable_symlinks if_not_owner;',
  '    location ~ "/\\.(?!well-known/)" {',
  '        return 404;',
  '    }',
]
