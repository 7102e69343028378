import { NavLink } from '@mantine/core'
import { IconSquareRounded } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { type AreaEntry, useAreas } from '../../areas/programs/web/queries.ts'
import { areaPages } from '../area-pages.ts'
import { Failure, Loading } from '../kit/states.tsx'
import { UnavailableLink } from './UnavailableLink.tsx'

/** The menu of the areas that are available on this host and permitted for the user. */
export function Menu() {
  const areas = useAreas()
  if (areas.error && !areas.data) return <Failure error={areas.error} onRetry={() => void areas.refetch()} />
  if (!areas.data) return <Loading rows={6} />
  const shown = areas.data
    .filter(({ allowed, path }) => allowed && path)
    .toSorted((a, b) => a.order - b.order)
  const groups = [...new Set(shown.map(({ group }) => group ?? ''))].toSorted((a, b) => rank(a) - rank(b))
  return (
    <>
      {groups.map((group) => (
        <div key={group} {...(group !== '' && { role: 'group', 'aria-labelledby': `menu-${group}` })}>
          {group !== '' && (
            <div className="menu-group" id={`menu-${group}`}>
              {group}
            </div>
          )}
          {shown
            .filter((area) => (area.group ?? '') === group)
            .map((area) =>
              area.available ? (
                <AreaLink key={area.name} area={area} />
              ) : (
                <UnavailableLink key={area.name} area={area} />
              ),
            )}
        </div>
      ))}
    </>
  )
}

/** What is in no group comes first, then hosting; maintenance is last. */
function rank(group: string): number {
  return { '': -1, Hosting: 0, System: 2 }[group] ?? 1
}

function AreaLink({ area }: { readonly area: AreaEntry }) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const Icon = areaPages.get(area.name)?.icon ?? IconSquareRounded
  const to = area.path as string
  const isHere = path === to || path.startsWith(`${to}/`)
  return (
    <NavLink
      className="menu-link"
      label={area.title}
      active={isHere}
      leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
      renderRoot={(props) => <Link {...props} to={to as never} aria-current={isHere ? 'page' : undefined} />}
    />
  )
}
