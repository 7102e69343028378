import { Button, Paper } from '@mantine/core'
import { useMe } from '../../areas/auth/web/queries.ts'
import type { AreaEntry, Program } from '../../areas/programs/web/queries.ts'
import { OngoingWork } from '../kit/OngoingWork.tsx'
import { Page } from '../kit/Page.tsx'
import { Empty } from '../kit/states.tsx'

interface ProgramMissingProps {
  readonly area: AreaEntry
  readonly program: Program
  readonly isStarting: boolean
  readonly onInstall: () => void
}

/** The page of an area whose program is not on this host: what is missing, and for administrators the button that installs it. */
export function ProgramMissing({ area, program, isStarting, onInstall }: ProgramMissingProps) {
  const isAdmin = useMe().data?.is_admin === true
  return (
    <Page title={area.title}>
      <Paper withBorder radius="lg">
        {isAdmin && <OngoingWork kind="programs.install" />}
        <Empty
          title={program.reason ?? `${program.name} is not installed`}
          action={
            isAdmin &&
            program.installable && (
              <Button mt="sm" loading={isStarting} onClick={onInstall}>
                Install {program.name}
              </Button>
            )
          }
        >
          {area.title} cannot be used without {program.name}. {adviceOf(isAdmin, program)}
        </Empty>
      </Paper>
    </Page>
  )
}

function adviceOf(isAdmin: boolean, { installable }: Program): string {
  if (!isAdmin) return 'Ask an administrator to install it.'
  return installable
    ? 'The panel installs it from the packages of this host.'
    : 'This host has no package of it that the panel could install.'
}
