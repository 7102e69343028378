import { NavLink, Tooltip } from '@mantine/core'
import { IconSquareRounded } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { useMe } from '../../areas/auth/web/queries.ts'
import { type AreaEntry, useAreas } from '../../areas/programs/web/queries.ts'
import { menuGroups } from '../../core/menu.ts'
import { areaPages } from '../area-pages.ts'
import { Failure, Loading } from '../kit/states.tsx'
import { UnavailableLink } from './UnavailableLink.tsx'

/**
 * The menu of the areas that the account may use. Administrators also see those that do not work on this host, with
 * the reason.
 */
export function Menu({ isNarrow }: { readonly isNarrow: boolean }) {
  const areas = useAreas()
  const me = useMe()
  if (areas.error && !areas.data) return <Failure error={areas.error} onRetry={() => void areas.refetch()} />
  if (!areas.data) return <Loading rows={6} />
  const shown = areas.data
    .filter(({ allowed, path, available }) => allowed && path && (available || me.data?.is_admin))
    .toSorted((a, b) => a.order - b.order)
  return menuGroups.map((group) => {
    const entries = shown.filter((area) => area.group === group)
    if (entries.length === 0) return null
    return (
      <div key={group} role="group" aria-label={group || 'Start'} className="menu-entries">
        {group && !isNarrow && (
          <div className="menu-group" aria-hidden>
            {group}
          </div>
        )}
        {entries.map((area) =>
          area.available ? (
            <AreaLink key={area.name} area={area} isNarrow={isNarrow} />
          ) : (
            <UnavailableLink key={area.name} area={area} isNarrow={isNarrow} />
          ),
        )}
      </div>
    )
  })
}

interface AreaLinkProps {
  readonly area: AreaEntry
  readonly isNarrow: boolean
}

function AreaLink({ area, isNarrow }: AreaLinkProps) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const Icon = areaPages.get(area.name)?.icon ?? IconSquareRounded
  const to = area.path as string
  const isHere = path === to || path.startsWith(`${to}/`)
  return (
    <Tooltip label={area.title} position="right" withArrow disabled={!isNarrow} events={shownOn}>
      <NavLink
        className="menu-link"
        label={isNarrow ? undefined : area.title}
        aria-label={area.title}
        active={isHere}
        leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
        renderRoot={(props) => (
          <Link {...props} to={to as never} aria-current={isHere ? 'page' : undefined} />
        )}
      />
    </Tooltip>
  )
}

const shownOn = { hover: true, focus: true, touch: false }
