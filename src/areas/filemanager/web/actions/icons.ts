import {
  IconArchive,
  IconClipboardCopy,
  IconCopy,
  IconDownload,
  IconEye,
  IconFolderShare,
  IconGitBranch,
  IconHistory,
  IconInfoCircle,
  IconKey,
  IconLock,
  IconLockOpen,
  IconPackageExport,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import type { ActionId } from './actions.ts'

/** The icons of actions. */
export const actionIcons: Readonly<Record<ActionId, typeof IconArchive>> = {
  open: IconEye,
  details: IconInfoCircle,
  download: IconDownload,
  'download-tar': IconDownload,
  rename: IconPencil,
  move: IconFolderShare,
  copy: IconCopy,
  compress: IconArchive,
  extract: IconPackageExport,
  mode: IconKey,
  lock: IconLock,
  unlock: IconLockOpen,
  history: IconHistory,
  vcs: IconGitBranch,
  'copy-path': IconClipboardCopy,
  delete: IconTrash,
}
