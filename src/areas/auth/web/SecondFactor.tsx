import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { RenewRecoveryCodes, TurnOffFactor } from './factor-dialogs.tsx'
import { useOtp } from './use-otp.ts'

const SetUpFactor = lazy(async () => ({ default: (await import('./SetUpFactor.tsx')).SetUpFactor }))

/** Two-factor authentication of the own account: set up, renew the recovery codes, turn off. */
export function SecondFactor() {
  const otp = useOtp()
  const [asking, setAsking] = useState<'setup' | 'renewal' | 'end'>()
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => setAsking(undefined)
  const show = (fresh: readonly string[]) => {
    close()
    setCodes(fresh)
  }
  if (otp.error && !otp.data) return <Failure error={otp.error} onRetry={() => void otp.refetch()} />
  if (!otp.data) return <Loading rows={2} />
  return (
    <Stack gap="md" align="flex-start">
      {otp.data.is_enabled ? (
        <EnabledFactor left={otp.data.recovery_codes} />
      ) : (
        <Text size="sm">
          Signing in then takes your password and a code of an authenticator app on your phone.
        </Text>
      )}
      <Group gap="xs">
        {otp.data.is_enabled ? (
          <>
            <Button variant="default" onClick={() => setAsking('renewal')}>
              New recovery codes
            </Button>
            <CutOffButton onClick={() => setAsking('end')}>Turn off</CutOffButton>
          </>
        ) : (
          <Button variant="default" onClick={() => setAsking('setup')}>
            Set up
          </Button>
        )}
      </Group>
      <Suspense>{asking === 'setup' && <SetUpFactor onClose={close} onDone={show} />}</Suspense>
      {asking === 'renewal' && <RenewRecoveryCodes onClose={close} onDone={show} />}
      {asking === 'end' && <TurnOffFactor onClose={close} />}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </Stack>
  )
}

function EnabledFactor({ left }: { readonly left: number }) {
  return (
    <>
      <Badge variant="light" color="green" tt="none">
        On
      </Badge>
      <Text size="sm" {...(left < 3 && { c: 'var(--mantine-color-error)' })}>
        {left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`} Each signs you in once
        if you do not have your phone.
      </Text>
    </>
  )
}
