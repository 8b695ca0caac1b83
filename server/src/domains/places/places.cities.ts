// Positions of the listed cities of Australia (contract/src/places/regions.ts): a locality belongs to the nearest city of its state. New
// Zealand's localities have a territorial authority instead.
const cities = `
  1701 -33.87 151.21 Sydney
  1702 -32.93 151.78 Newcastle
  1703 -33.43 151.34 Central Coast
  1704 -34.42 150.89 Wollongong
  1705 -32.73 151.55 Maitland
  1706 -28.18 153.54 Tweed Heads
  1707 -35.11 147.37 Wagga Wagga
  1708 -36.08 146.92 Albury
  1709 -31.43 152.91 Port Macquarie
  1710 -31.09 150.93 Tamworth
  1801 -37.81 144.96 Melbourne
  1802 -38.15 144.36 Geelong
  1803 -37.56 143.85 Ballarat
  1804 -36.76 144.28 Bendigo
  1805 -37.68 144.58 Melton
  1806 -36.38 145.40 Shepparton
  1807 -36.12 146.88 Wodonga
  1808 -34.19 142.16 Mildura
  1809 -38.38 142.48 Warrnambool
  1810 -38.20 146.54 Traralgon
  1901 -27.47 153.03 Brisbane
  1902 -28.00 153.41 Gold Coast
  1903 -26.66 153.09 Sunshine Coast
  1904 -19.26 146.82 Townsville
  1905 -16.92 145.77 Cairns
  1906 -27.56 151.95 Toowoomba
  1907 -21.14 149.19 Mackay
  1908 -23.38 150.51 Rockhampton
  1909 -24.87 152.35 Bundaberg
  1910 -25.29 152.84 Hervey Bay
  2001 -34.93 138.60 Adelaide
  2002 -37.83 140.78 Mount Gambier
  2003 -34.60 138.75 Gawler
  2004 -33.03 137.56 Whyalla
  2005 -35.12 139.27 Murray Bridge
  2006 -34.73 135.86 Port Lincoln
  2007 -33.19 138.01 Port Pirie
  2008 -35.55 138.62 Victor Harbor
  2009 -32.49 137.77 Port Augusta
  2010 -35.07 138.86 Mount Barker
  2101 -31.95 115.86 Perth
  2102 -32.53 115.72 Mandurah
  2103 -33.33 115.64 Bunbury
  2104 -28.77 114.61 Geraldton
  2105 -30.75 121.47 Kalgoorlie
  2106 -35.02 117.88 Albany
  2107 -33.65 115.35 Busselton
  2108 -17.96 122.24 Broome
  2109 -20.31 118.60 Port Hedland
  2110 -20.74 116.85 Karratha
  2201 -42.88 147.33 Hobart
  2202 -41.44 147.14 Launceston
  2203 -41.18 146.35 Devonport
  2204 -41.05 145.91 Burnie
  2205 -42.98 147.31 Kingston
  2206 -41.16 146.17 Ulverstone
  2207 -41.11 146.83 George Town
  2208 -40.99 145.73 Wynyard
  2209 -42.78 147.06 New Norfolk
  2210 -42.78 147.56 Sorell
  2301 -12.46 130.84 Darwin
  2302 -12.48 130.98 Palmerston
  2303 -23.70 133.88 Alice Springs
  2304 -14.47 132.26 Katherine
  2305 -12.18 136.77 Nhulunbuy
  2306 -19.65 134.19 Tennant Creek
  2401 -35.28 149.13 Canberra
  2402 -35.24 149.07 Belconnen
  2403 -35.19 149.13 Gungahlin
  2404 -35.42 149.07 Tuggeranong
  2405 -35.35 149.09 Woden Valley
  2406 -35.34 149.06 Weston Creek
  2407 -35.31 149.04 Molonglo Valley`;

/** The listed cities of Australia with their positions. */
export const australianCities = cities
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' ').map(Number))
  .map(([districtCode = 0, latitude = 0, longitude = 0]) => ({ districtCode, latitude, longitude }));
