import {
  IconBraces,
  IconCode,
  IconDatabase,
  IconFile,
  IconFileText,
  IconFileZip,
  IconFolderFilled,
  IconLink,
  IconMusic,
  IconPhoto,
  IconPlugConnected,
  IconTerminal2,
  IconVideo,
} from '@tabler/icons-react'
import type { Item } from '../queries.ts'
import classes from './grid.module.css'

const kinds: readonly (readonly [RegExp, typeof IconFile, string])[] = [
  [/\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?)$/i, IconPhoto, 'picture'],
  [/\.(?:zip|tar|tgz|gz|xz|zst|bz2|7z|rar)$/i, IconFileZip, 'archive'],
  [/\.(?:sh|bash|zsh)$|^\.(?:bash|profile|zsh)/i, IconTerminal2, 'script'],
  [/\.(?:html?|php|jsx?|tsx?|mjs|cjs|css|scss|py|rb|go|rs|java|c|h|cpp|vue)$/i, IconCode, 'code'],
  [/\.(?:json|ya?ml|toml|xml|ini|conf|cfg|env|properties)$|^\.htaccess$/i, IconBraces, 'settings'],
  [/\.(?:sql|sqlite|db)$/i, IconDatabase, 'code'],
  [/\.(?:md|txt|log|csv|pdf|docx?|odt|rtf)$/i, IconFileText, 'text'],
  [/\.(?:mp3|ogg|flac|wav|m4a)$/i, IconMusic, 'picture'],
  [/\.(?:mp4|mkv|webm|mov|avi)$/i, IconVideo, 'picture'],
]

/** The icon for the type of an entry. */
export function EntryIcon({
  item,
  size = 20,
}: {
  readonly item: Pick<Item, 'name' | 'type'>
  readonly size?: number
}) {
  const [Icon, kind] = pictureOf(item)
  return (
    <Icon
      size={size}
      stroke={1.6}
      className={classes.icon}
      data-kind={kind}
      role="img"
      aria-label={item.type}
    />
  )
}

function pictureOf({ name, type }: Pick<Item, 'name' | 'type'>): readonly [typeof IconFile, string] {
  if (type === 'folder') return [IconFolderFilled, 'folder']
  if (type === 'link') return [IconLink, 'link']
  if (type === 'other') return [IconPlugConnected, 'other']
  const found = kinds.find(([pattern]) => pattern.test(name))
  return found ? [found[1], found[2]] : [IconFile, 'plain']
}
