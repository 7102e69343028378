import { Button, Group, HoverCard, NavLink, Text, VisuallyHidden } from '@mantine/core'
import { IconSquareRounded } from '@tabler/icons-react'
import { useId } from 'react'
import { useInstalling } from '../../areas/programs/web/Installing.tsx'
import { type AreaEntry, missingProgram } from '../../areas/programs/web/queries.ts'
import { areaPages } from '../area-pages.ts'

interface UnavailableLinkProps {
  readonly area: AreaEntry
  readonly isNarrow: boolean
}

/**
 * A disabled menu entry of an area that does not work on this host, with the reason and the action that installs the
 * program.
 */
export function UnavailableLink({ area, isNarrow }: UnavailableLinkProps) {
  const installing = useInstalling()
  const reasonId = useId()
  const Icon = areaPages.get(area.name)?.icon ?? IconSquareRounded
  const missing = missingProgram(area)
  return (
    <>
      <HoverCard position="right" width={280} withArrow shadow="md">
        <HoverCard.Target>
          <NavLink
            component="button"
            type="button"
            className="menu-link"
            aria-disabled="true"
            aria-describedby={reasonId}
            aria-label={area.title}
            label={isNarrow ? undefined : area.title}
            leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
          />
        </HoverCard.Target>
        <HoverCard.Dropdown>
          <Text size="sm">
            {isNarrow && `${area.title}: `}
            {area.reason}
          </Text>
        </HoverCard.Dropdown>
      </HoverCard>
      {isNarrow ? (
        <VisuallyHidden id={reasonId}>{area.reason}</VisuallyHidden>
      ) : (
        <Text id={reasonId} size="xs" c="dimmed" pl={42} pr="sm" pb={4}>
          {area.reason}
        </Text>
      )}
      {missing?.installable && !isNarrow && (
        <Group pl={42} pr="sm" pb="xs">
          <Button size="compact-xs" variant="light" onClick={() => installing.start(missing.name)}>
            Install {missing.name}
          </Button>
        </Group>
      )}
      {installing.dialog}
    </>
  )
}
