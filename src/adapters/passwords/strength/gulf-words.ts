// Arabic names and words in Latin letters that are missing or rare in zxcvbn's dictionaries, most common first.

export const GULF_WORDS = {
  gulfNames: splitWords(`
  mohammed mohammad muhammad mohamed mohamad muhammed mohd ahmed ahmad abdullah abdallah abdulla
  ali abdulrahman abdurrahman abdelrahman abdulaziz abdelaziz khalid khaled saud fahad fahd sultan turki nasser naser nasir
  naif nayef faisal faysal bandar majed majid saad saeed saied salem salim saleh salah ibrahim ebrahim yousef yusuf yousif
  youssef omar omer othman osman hassan hasan hussain hussein husain hamad hamoud hamed mahmoud mustafa mostafa abdulmalik
  abdulmajeed abdulelah abdulkarim abdulrahim abdullatif abdulmohsen abdulhadi abdulsalam abdulqader salman meshal mishal
  mansour mansoor musaed mubarak meshari mishari mamdouh talal waleed walid nawaf rakan rayan ryan ziyad ziad zaid zayed
  raed rami riyad sami samer sulaiman suleiman tariq tareq adel amer ammar emad imad essam ghazi fares faris fawaz fouad
  qasim kareem karim loay mazen malik maher marwan muath moaz musa mousa eisa issa yahya zakaria ismail isaac hani hisham
  haitham wael yasser yaser yaseen yazan yazeed ayman osama usama anas eyad iyad basem basel badr bader bassam bilal tamim
  thamer jaber jasim jassim jamal jawad hatem hazem dawood rashed rashid rida saif saqr abood aboud mohannad nabil nizar
  fatima fatimah fatma aisha aysha maryam mariam khadija sara sarah noura nora norah nouf nouf hind reem rim mona muna amal
  eman iman asma amna amina zainab zaynab hajar suad salma layla laila leila lama lina lujain dana deema dima dalal rana
  raneem rahaf raghad razan rawan renad shahad shouq shaima abeer ohoud ghada ghala farah latifa lulwa maha manal munira
  moneera modhi mashael najla nada noha nawal huda hanouf haya haifa wejdan waad wafa yasmin yasmeen yara basma bushra
  jawaher joud hessa hanan kholoud ebtisam arwa areej afnan aljohara alanoud budoor bayan tala tahani jana hala sadeem
`),
  gulfFamilies: splitWords(`
  otaibi alotaibi harbi alharbi qahtani alqahtani ghamdi alghamdi zahrani alzahrani shehri alshehri shammari alshammari
  dosari aldosari dossary aldossary mutairi almutairi enezi anazi alanazi subaie alsubaie rashidi alrashidi juhani aljuhani
  balawi albalawi maliki almaliki asiri alasiri yami shahrani alshahrani khaldi alkhaldi hajri ajmi almarri ruwaili harthi
  alharthi sulami alsulami omari alomari amoudi rajhi alrajhi sudairi qarni alqarni bishi tamimi altamimi hashemi alsaud
  alnahyan almaktoum althani alsabah binladin
`),
  gulfPlaces: splitWords(`
  saudi ksa riyadh riyad jeddah jedda makkah mecca mekkah madinah medina dammam khobar alkhobar dhahran taif tabuk buraidah qassim
  alqassim hail abha khamis mushait jazan jizan najran albaha yanbu alahsa hofuf qatif jubail alkharj diriyah alula neom
  najd hijaz asir hejaz kaaba haram quds alquds palestine gaza cairo egypt dubai abudhabi sharjah kuwait bahrain manama
  qatar doha oman muscat yemen sanaa sudan khartoum iraq baghdad syria damascus lebanon beirut jordan amman khaleej gulf
`),
  gulfWords: splitWords(`
  allah alhamdulillah alhamdulilah hamdullah bismillah subhanallah mashallah inshallah insha allahakbar allahuakbar lailahaillallah
  astaghfirullah assalam assalamu alaikum salam salaam salamalaikum asalamualaikum islam muslim quran ramadan ramadhan eid
  eidmubarak habibi habibti hayati omri rouhi galbi albi ahebak bahebak ummi yaallah yarab marhaba ahlan yalla wallah
  hilal alhilal nassr alnassr ittihad alittihad ahli alahli shabab zaeem alzaeem vision2030 saudia saudiarabia aramco sabic
  stc mobily zain absher nafath tawakkalna najiz riyal noor nour hubb qalb shams qamar amir ameer malek sheikh shaikh
  mudir muhami lawyer client admin123 welcome1 saudi123 ksa123 riyadh123 jeddah123 qwerty123 asd123 asdasd zxczxc
`),
}

function splitWords(words: string): string[] {
  return [...new Set(words.trim().split(/\s+/))]
}
