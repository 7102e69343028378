import { Button } from '@mantine/core'
import { LinkButton } from '../../../web/kit/LinkButton.tsx'
import { Empty, Failure } from '../../../web/kit/states.tsx'
import { ApiError } from '../../../web/wire.ts'
import { textOfNowhere } from './links.ts'
import { shown } from './names.ts'
import { ownerName } from './owners.ts'
import { nameOf, parentOf } from './paths.ts'
import { useStandingAbove, useStat } from './queries.ts'
import type { Place } from './whose.ts'

interface FolderFailureProps {
  readonly place: Place
  readonly error: unknown
  readonly onRetry: () => void
}

/** The reason why a folder cannot be shown, with a link out of it. */
export function FolderFailure({ place, error, onRetry }: FolderFailureProps) {
  const { path, at } = place
  const stat = useStat(place.whose, path)
  const status = error instanceof ApiError ? error.status : 0
  const above = useStandingAbove(place.whose, path, status === 404).data ?? parentOf(path)
  const up = (
    <LinkButton to="/files" search={at(above)} variant="default">
      Go to {above === '' ? 'Home' : shown(nameOf(above))}
    </LinkButton>
  )
  const again = (
    <Button variant="default" onClick={onRetry}>
      Try again
    </Button>
  )
  if (stat.data?.type === 'file')
    return (
      <Empty
        title="This is a file"
        action={
          <LinkButton to="/files/edit" search={at(path)}>
            Open {shown(nameOf(path))}
          </LinkButton>
        }
      >
        {shown(path)} holds no other entries.
      </Empty>
    )
  if (stat.data?.type === 'link' && status === 404)
    return (
      <Empty title="Broken link" action={up}>
        {textOfNowhere({ ...stat.data, path })}
      </Empty>
    )
  if (status === 404)
    return (
      <Empty title="This folder does not exist" action={up}>
        {shown(path)} was moved, renamed or deleted, or its address was mistyped.
      </Empty>
    )
  if (status === 403)
    return (
      <Empty title="This folder cannot be read" action={path === '' ? again : up}>
        {stat.data
          ? `${shown(path) || 'The home'} belongs to ${ownerName(stat.data.owner)} and has the mode ${stat.data.mode.replace(/^0/, '')}. Its owner can open it under Permissions.`
          : `The account has no access to a folder above ${shown(path)}.`}
      </Empty>
    )
  return <Failure error={error} onRetry={onRetry} />
}
