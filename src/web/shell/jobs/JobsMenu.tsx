import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Loading } from '../../kit/states.tsx'
import { useActiveJobs } from './queries.ts'

const ActiveJobs = lazy(() =>
  import('./ActiveJobs.tsx').then(({ ActiveJobs: component }) => ({ default: component })),
)

/** The jobs of all areas that run or wait, behind a button with their number. */
export function JobsMenu() {
  const [isOpen, setOpen] = useState(false)
  const { data } = useActiveJobs()
  const total = data?.total ?? 0
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={340} trapFocus shadow="md">
      <Indicator label={total} disabled={total === 0} size={16} offset={4}>
        <Popover.Target>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={total === 0 ? 'Jobs' : `Jobs, ${total} active`}
            onClick={() => setOpen(!isOpen)}
          >
            <IconListCheck size={18} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown maw="calc(100vw - 16px)">
        <Suspense fallback={<Loading rows={2} />}>
          <ActiveJobs jobs={data?.items} onLeave={() => setOpen(false)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
