/** What people call these places in both countries, besides the names of the official files. */
export const nicknames: Readonly<Record<string, string>> = {
  chch: 'christchurch',
  akl: 'auckland',
  welly: 'wellington',
  palmy: 'palmerston north',
  'palmy north': 'palmerston north',
  'palmy nth': 'palmerston north',
  dunners: 'dunedin',
  brissie: 'brisbane',
  brissy: 'brisbane',
  bris: 'brisbane',
  melb: 'melbourne',
  syd: 'sydney',
  goldie: 'gold coast',
  logan: 'logan central',
  'logan city': 'logan central',
};

// Names that a suburb of another place has too, such as Ahuriri, Tāhuna and Ngunnawal, stay with the suburb.
const names = `
  Aotearoa | New Zealand
  Tāmaki Makaurau, Ākarana | Auckland
  Te Whanganui-a-Tara, Pōneke | Wellington
  Ōtautahi | Christchurch
  Kirikiriroa | Hamilton, Waikato
  Tauranga Moana | Tauranga
  Ōtepoti | Dunedin
  Te Papaioea, Papaioea | Palmerston North, Manawatū-Whanganui
  Ngāmotu | New Plymouth
  Waihōpai | Invercargill
  Whakatū | Nelson, New Zealand
  Tūranganui-a-Kiwa, Te Tairāwhiti, Tairāwhiti | Gisborne, New Zealand
  Te Tai Tokerau | Northland
  Whangārei Terenga Parāoa | Whangārei
  Te Moana-a-Toi | Bay of Plenty
  Te Rotorua-nui-a-Kahumatamomoe | Rotorua
  Taupō-nui-a-Tia | Taupō
  Te Matau-a-Māui | Hawke's Bay
  Te Awa Kairangi ki Tai | Lower Hutt
  Te Awa Kairangi ki Uta | Upper Hutt
  Whakaoriori | Masterton
  Te Tai-o-Aorere | Tasman
  Te Tauihu-o-te-waka | Marlborough
  Te Waiharakeke, Waiharakeke | Blenheim
  Te Tai Poutini | West Coast, New Zealand
  Māwhera | Greymouth
  Te Tihi-o-Maru | Timaru
  Te Oha-a-Maru | Oamaru
  Murihiku | Southland
  Motupōhue | Bluff, Southland
  Kemureti | Cambridge, Waikato
  Rēkohu, Wharekauri | Chatham Islands
  Gadigal, Cadigal, Warrane, Warrang, Eora | Sydney
  Naarm, Narrm | Melbourne
  Meanjin, Meeanjin, Mianjin, Magandjin | Brisbane
  Boorloo | Perth
  Tarntanya, Tarndanya, Tandanya | Adelaide
  nipaluna | Hobart
  lutruwita | Tasmania
  Kamberri, Ngambri | Canberra
  Garramilla, Gulumoerrgin | Darwin
  Mparntwe | Alice Springs
  Mulubinba | Newcastle, New South Wales
  Djilang | Geelong
  Gimuy | Cairns
  Gurambilbarra | Townsville
  Tulmur | Ipswich, Queensland
  pataway | Burnie
  Walyalup | Fremantle
  Mandjoogoordap | Mandurah
  Goomburrup | Bunbury
  Jambinu | Geraldton
  Karlkurla | Kalgoorlie
  Kinjarling | Albany
  Undalup | Busselton
  Rubibi | Broome
  Marapikurrinya | Port Hedland`;

/** Names in te reo Māori and in Aboriginal languages by which people call towns, with the names of the official files. */
export const firstNames: readonly { name: string; official: string }[] = names
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [own = '', official = ''] = line.split('|').map((part) => part.trim());
    return own.split(', ').map((name) => ({ name, official }));
  });
