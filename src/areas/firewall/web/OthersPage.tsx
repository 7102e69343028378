import { Card, Code, Stack, Title } from '@mantine/core'
import { Empty } from '../../../web/kit/states.tsx'
import { FirewallFrame } from './FirewallFrame.tsx'

const owners = {
  docker: 'Docker',
  fail2ban: 'fail2ban',
  ufw: 'ufw',
  firewalld: 'firewalld',
  manual: 'Manual',
} as const

/** The rules of other programs and of administrators, which the panel does not change. */
export function OthersPage() {
  return (
    <FirewallFrame>
      {({ foreign }) => (
        <Stack gap="md">
          {foreign.length === 0 && <Empty title="No rules of other programs" />}
          {foreign.map(({ owner, family, table, chain, rules }) => (
            <Card key={`${family} ${table} ${chain}`} withBorder radius="lg" p="lg">
              <Title order={2} size="h5" mb="xs">
                {owners[owner]}: {family} {table} {chain}
              </Title>
              <Code block className="anywhere">
                {rules.join('\n')}
              </Code>
            </Card>
          ))}
        </Stack>
      )}
    </FirewallFrame>
  )
}
