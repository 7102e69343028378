import { Card, Stack, Switch, Title } from '@mantine/core'
import { Failure } from '../../../web/kit/states.tsx'
import type { CertificateStatus } from '../model.ts'
import { useTlsFields } from './queries.ts'

interface HttpsFieldsProps {
  readonly id: number
  readonly status: CertificateStatus
}

/** The redirect to https, and HSTS. */
export function HttpsFields({ id, status: { https_redirect: redirects, hsts } }: HttpsFieldsProps) {
  const save = useTlsFields(id)
  return (
    <Card withBorder radius="lg" p="lg">
      <Stack gap="md">
        <Title order={2} size="h4">
          HTTPS
        </Title>
        {save.error && <Failure error={save.error} />}
        <Switch
          label="Redirect to HTTPS"
          description="Once there is a certificate"
          checked={redirects}
          disabled={save.isPending}
          onChange={({ currentTarget: { checked } }) =>
            save.mutate({ https_redirect: checked, ...(!checked && { hsts: false }) })
          }
        />
        <Switch
          label="HSTS"
          description="Browsers use https alone for a year, even if the certificate is gone"
          checked={hsts}
          disabled={save.isPending || !redirects}
          onChange={({ currentTarget: { checked } }) => save.mutate({ hsts: checked })}
        />
      </Stack>
    </Card>
  )
}
