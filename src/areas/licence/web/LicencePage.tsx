import { Alert, Badge, Card, Code, Group, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import Type from 'typebox'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import { LicenceKey, type PanelLicence } from '../model.ts'
import { licence } from './api.ts'
import { useLicence } from './queries.ts'

/** The licence of this host: its state, what it grants, and its activation. */
export function LicencePage() {
  const { data, error, refetch } = useLicence()
  return (
    <Page
      title="Licence"
      about="The licence of this host unlocks features. Everything else works without it."
    >
      <SettingsTabs />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Card withBorder radius="lg" p="lg">
            <Held panel={data} />
          </Card>
          <Card withBorder radius="lg" p="lg">
            <Activation panel={data} />
          </Card>
        </SimpleGrid>
      )}
    </Page>
  )
}

function Held({ panel: { license: held, features, in_force: isInForce } }: { readonly panel: PanelLicence }) {
  const granted = Object.entries(features).filter(([, isGranted]) => isGranted)
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Title order={2} size="h4">
          Current licence
        </Title>
        {held && <StateBadge state={held.blocked ? 'blocked' : held.status} />}
      </Group>
      {held === null ? (
        <Text size="sm">No licence is stored.</Text>
      ) : (
        <>
          {!isInForce && <Alert color="orange">Its features and limits do not apply at present.</Alert>}
          <Table variant="vertical" layout="fixed">
            <Table.Tbody>
              <Row name="Key">
                <Code>{held.key}</Code>
              </Row>
              <Row name="Kind">{held.tier}</Row>
              <Row name="Expires">{held.expires_at ? <Moment time={held.expires_at} /> : 'Never'}</Row>
              <Row name="Websites">
                {held.max_websites === null ? 'Any number' : `At most ${held.max_websites}`}
              </Row>
              <Row name="Features">
                <Group gap={6}>
                  {granted.length === 0
                    ? 'None'
                    : granted.map(([name]) => <Feature key={name} name={name} />)}
                </Group>
              </Row>
            </Table.Tbody>
          </Table>
        </>
      )}
    </Stack>
  )
}

const Feature = ({ name }: { readonly name: string }) => (
  <Badge variant="light" tt="none">
    {name.replaceAll('_', ' ')}
  </Badge>
)

const Row = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <Table.Tr>
    <Table.Th w={120}>{name}</Table.Th>
    <Table.Td>{children}</Table.Td>
  </Table.Tr>
)

const Activating = Type.Object({ license_key: LicenceKey })
const text = { license_key: { label: 'Licence key', hint: 'It replaces the current licence' } }

function Activation({ panel }: { readonly panel: PanelLicence }) {
  const [count, setCount] = useState(0)
  const activate = async (body: { readonly license_key: string }) => {
    const { success, status } = await run(licence.activateLicence({ body }))
    notify(success ? 'The licence is in force.' : `The licence was stored. It is ${status}.`, !success)
    setCount(count + 1)
    await readAgain('licence')
  }
  return (
    <Stack gap="md">
      <Title order={2} size="h4">
        Activate a licence
      </Title>
      {panel.can_activate ? (
        <SchemaForm
          key={count}
          schema={Activating}
          text={text}
          submitLabel="Activate"
          reviewOf={(body) => licence.activateLicence({ body })}
          onSubmit={activate}
        />
      ) : (
        <Text size="sm">
          No licence server is configured: set the licence server and its key among the settings of the panel.
        </Text>
      )}
    </Stack>
  )
}
