import { ActionIcon } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { areaPages } from '../area-pages.ts'
import { areaOfPath } from './area-of-path.ts'

/** A link to the guide of the area whose page is open; nothing if it has none. */
export function GuideLink() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const guide = areaOfPath(path, areaPages.values())?.guide
  if (guide === undefined) return null
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label="Guide to this page"
      title="Guide to this page"
      renderRoot={(props) => <Link {...props} to={`/guides/${guide}` as never} />}
    >
      <IconHelp size={18} aria-hidden />
    </ActionIcon>
  )
}
