/** Zone files of ordinary sites, by zone; each is accepted by named-checkzone. */
export const zoneFiles: Readonly<Record<string, string>> = {
  'shop.example': `$TTL 3600
@ IN SOA ns1.shop.example. hostmaster.shop.example. 2026010101 7200 3600 1209600 300
  IN NS ns1
  IN NS ns2
  IN MX 10 mail
  IN A 192.0.2.10
  IN AAAA 2001:db8::10
  IN TXT "v=spf1 mx -all"
  IN CAA 0 issue "letsencrypt.org"
ns1 A 192.0.2.1
ns2 A 192.0.2.2
mail A 192.0.2.3
www CNAME @
_dmarc TXT "v=DMARC1; p=reject; rua=mailto:dmarc@shop.example"
`,
  'mail.example': `$ORIGIN mail.example.
$TTL 1d
@ 1D IN SOA ns.mail.example. root.mail.example. ( 42 ; serial
    3H   ; refresh
    15M  ; retry
    1W   ; expire
    1D ) ; minimum
   NS ns
   MX 10 mx1
   MX 20 mx2.mail.example.
ns A 198.51.100.1
mx1 A 198.51.100.2
mx2 A 198.51.100.3
selector._domainkey TXT ( "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA"
  "u5oIUrFDWZK7F4thFxpZa2or6jBEX3cSL6b2TJdPkO5iNn9vHNXhNX31nOefN8FksX94YbLJ8NHcFPbaZTW8R2HthY" )
_imaps._tcp SRV 0 1 993 mx1
_submission._tcp SRV 0 1 587 mx1
autoconfig CNAME mx1
_25._tcp.mx1 TLSA 3 1 1 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
`,
  '2.0.192.in-addr.arpa': `$TTL 86400
@ SOA ns1.shop.example. hostmaster.shop.example. 1 7200 3600 1209600 3600
@ NS ns1.shop.example.
1 PTR ns1.shop.example.
$GENERATE 10-19 $ PTR host-$.shop.example.
`,
  '8.b.d.0.1.0.0.2.ip6.arpa': `$TTL 3600
@ SOA ns1.shop.example. hostmaster.shop.example. 1 7200 3600 1209600 3600
@ NS ns1.shop.example.
0.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0 PTR www.shop.example.
`,
  'cdn.example': `$TTL 60
@ SOA ns1 admin 7 7200 3600 1209600 60
@ NS ns1
@ NS ns2.other.example.
ns1 A 203.0.113.1
$GENERATE 1-20 edge\${0,2,d} A 203.0.113.$
$GENERATE 1-4 pop$ AAAA 2001:db8:\${0,4,x}::1
*.assets CNAME edge01
`,
  'voip.example': `$TTL 3600
@ SOA ns admin 3 7200 3600 1209600 60
@ NS ns
ns A 192.0.2.53
_sip._udp SRV 10 60 5060 big
_sip._udp SRV 10 20 5060 small
_sips._tcp SRV 20 0 5061 small
@ NAPTR 100 10 "s" "SIP+D2U" "" _sip._udp
big A 192.0.2.60
small A 192.0.2.61
office LOC 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m
`,
  'xn--bcher-kva.example': `$TTL 300
@ SOA ns1 admin 3 7200 3600 1209600 60
@ NS ns1
ns1 A 192.0.2.1
@ TXT "caf\\195\\169" "a \\"quoted\\" text"
host SSHFP 4 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
host A 192.0.2.7
info HINFO "PC" "Linux"
`,
  'parts.example': `$TTL 3600
@ SOA ns1 admin 3 7200 3600 1209600 60
@ NS ns1
ns1 A 192.0.2.1
child NS ns.child
ns.child A 192.0.2.99
$ORIGIN eu.parts.example.
www A 192.0.2.50
@ A 192.0.2.51
$ORIGIN parts.example.
old DNAME eu
`,
}
