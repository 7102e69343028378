import { Button } from '@mantine/core'
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import { websites } from './api.ts'
import { useCreationLock } from './queries.ts'

/** Locks the creation of websites for all but superusers, or unlocks it; for superusers. */
export function CreationLock() {
  const { data } = useCreationLock()
  const [isAsked, setIsAsked] = useState(false)
  if (data === undefined) return null
  const { locked } = data
  const Icon = locked ? IconLockOpen : IconLock
  const title = locked ? 'Unlock creation' : 'Lock creation'
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon size={16} aria-hidden />}
        onClick={() => setIsAsked(true)}
        title={locked ? 'Only superusers may create websites' : 'Let superusers alone create websites'}
      >
        {title}
      </Button>
      {isAsked && (
        <ChangeDialog
          title={title}
          confirmLabel={title}
          call={websites.setCreationLock({ body: { locked: !locked } })}
          onClose={() => setIsAsked(false)}
          onDone={() => {
            setIsAsked(false)
            notify(
              locked
                ? 'Hosting users may create websites again.'
                : 'Only superusers may create websites now.',
            )
            void readAgain('websites')
          }}
        />
      )}
    </>
  )
}
