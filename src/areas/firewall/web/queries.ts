import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import type { BanDraft, BanSettings, FirewallRuleDraft } from '../model.ts'
import { firewall } from './api.ts'

/** GET /firewall/status, polled while the page is visible. */
export const useStatus = () =>
  useQuery({
    queryKey: ['firewall', 'status'],
    queryFn: ({ signal }) => run(firewall.readFirewallStatus(), signal),
    refetchInterval: 5000,
  })

/** GET /firewall/rules, polled while the page is visible. */
export const useRules = () =>
  useQuery({
    queryKey: ['firewall', 'rules'],
    queryFn: ({ signal }) => run(firewall.listFirewallRules(), signal),
    refetchInterval: 10_000,
  })

/** GET /firewall/bans, polled while the page is visible. */
export const useBans = () =>
  useQuery({
    queryKey: ['firewall', 'bans'],
    queryFn: ({ signal }) => run(firewall.listBans(), signal),
    refetchInterval: 10_000,
  })

/** GET /firewall/settings */
export const useBanSettings = () =>
  useQuery({
    queryKey: ['firewall', 'settings'],
    queryFn: ({ signal }) => run(firewall.readBanSettings(), signal),
  })

/** POST /firewall/rules */
export const addRule = (body: FirewallRuleDraft) => run(firewall.addFirewallRule({ body }))

/** POST /firewall/bans */
export const addBan = (body: BanDraft) => run(firewall.addBan({ body }))

/** PUT /firewall/settings */
export const setBanSettings = (body: BanSettings) => run(firewall.setBanSettings({ body }))
