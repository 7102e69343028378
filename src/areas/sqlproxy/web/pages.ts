import { IconArrowsSplit } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconArrowsSplit,
  guide: 'sql-proxy',
  byPath: {},
}
