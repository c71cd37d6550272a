"""Words that people use for the same action or thing, as data.

How much each counts is `concepts.py`'s; words of one API belong in its tools' hints.
"""

__all__ = [
    "ACTIONS",
    "FAINT",
    "KINDS",
    "MOMENTS",
    "PACKS",
    "PHRASES",
    "PRONOUNS",
    "SAME",
    "SERVICES",
    "SHAPES",
    "SUBJECTS",
    "USUAL",
]

ACTIONS = """
add bring build call change check clear close copy create cut delete do edit fetch find generate get give go insert
keep leave list look make modify move new open pass perform pick post print provide pull put read remove retrieve
run save search see send set show start stop take tell turn update view write
"""
"""What can be done with anything: they tell two tools for one thing apart, and say nothing of the thing."""

USUAL = "create find insert list post search send"
"""What is most often wanted of a thing that is only named."""

FAINT = """
access api available best better check company create creating current currently data day days detail detailed
details display do doing different fetch find gather gathering generate get getting give giving good great help idea
ideas info information kind know latest learn list look make making multiple name names new obtain particular people
perfect perform performing person popular provide provided providing question receive recent result results retrieve
see set show specific start task tasks tell thing time today tool try trying type types understand understanding use
used user users using value values various view way ways work working year years comprehensive id
"""
"""What most requests say: not nothing, but little."""

MOMENTS = """
one two three four five six seven eight nine ten hundred thousand million monday tuesday wednesday thursday friday
saturday sunday january february march april may june july august september october november december today tomorrow
yesterday tonight morning noon afternoon evening night week weekend month year day hour minute second am pm
"""
"""Numbers and times: they fill an argument, whatever the tool."""

SERVICES = """
adobe airbnb airtable amazon asana aws azure basecamp bitbucket box calendly canva chatgpt clickup cloudflare
confluence datadog discord docusign dropbox ebay ec2 etsy evernote excel facebook figma firecrawl freshdesk github
gitlab gmail google granola heroku hubspot instagram intercom jenkins jira kubernetes lambda linear linkedin mailchimp
messenger miro netflix netlify notion onedrive onenote outlook pagerduty paypal photoshop pinterest quickbooks reddit
s3 salesforce sentry sharepoint shopify skype slack snapchat snowflake spotify squarespace steam stripe tavily teams
telegram tiktok todoist trello twilio twitch twitter uber vercel vimeo webex webflow whatsapp wikipedia wix wordpress
xero yelp youtube zapier zendesk zoho zoom
"""
"""Services that a request may name. One that no tool knows is a sign that nothing fits."""

SUBJECTS = """
alarm anime antenna appliance aquarium astrology autoreply bake balloon barcode battery beer bicycle bike billboard
bird blanket boat bookshelf bulb bus cab cake calorie camera car carpet casino cat celsius centimetre chair chess
chocolate climate cocktail coffee comic constellation coupon cryptocurrency cuisine curtain dating dessert dice diet
dinosaur dishwasher dog dragon dream drone dvd earthquake electricity eyebrow fahrenheit fashion ferry flight flower
flu font forecast fridge galaxy grocery guitar haiku hamster headphone heating helicopter horoscope horse hotel
humidity hurricane hymn infographic insulin jazz jewellery joke joystick kettle kidney kilogram kilometer kilometre
kitten lamp laptop laundry lawn lights limerick lipstick litre lottery luggage lullaby lyrics makeup map mattress meal
medicine melody meme menu metre microwave mile milk mobile motorcycle mushroom music necklace noodle nutrition ocean
oven passport pasta perfume pet pharmacy phone photo piano pill pizza plane planet plastic playlist podcast poem poker
poll pollen pollution pottery prescription printer pronunciation proverb pub puzzle quiz radiator radio railway rain
rainbow raincoat rainfall recipe restaurant rhyme riddle robot rocket runway salad sandwich satellite scooter
screenshot sculpture seat shampoo ship shower signature sleep smartphone smoothie snack snow song soup spaceship stove
subtitle subway sudoku suitcase sunglasses sunrise sunset supermarket sushi symptom tarot tattoo tax taxi telescope
television temperature thermostat thunderstorm toaster toilet toothache toothbrush toy train tram translation trivia
truck tsunami turbine tv umbrella underwear vacuum vegetable video videogame vineyard violin visa vitamin volcano
voucher wallpaper wardrobe washer watch waterfall weather webcam webinar whiteboard wifi wildlife wine yacht zodiac
zoo
"""
"""Everyday subjects. One that no tool knows is a sign that nothing fits."""

PACKS = {
    "gcalendar": "google calendar",
    "gdocs": "google docs document",
    "gdrive": "google drive",
    "gforms": "google forms",
    "gmail": "google mail email",
    "gsheets": "google sheets spreadsheet",
    "outlook": "microsoft office mail email",
}
"""What people call a service whose pack is named more shortly."""

SAME = """
create add make new insert | create generate build compose | create write draft compose |
create open start file raise | create register | delete remove erase trash discard destroy purge drop clear |
cancel abort stop terminate revoke | stop halt pause suspend | list show browse enumerate |
search find look lookup seek query discover locate | get retrieve fetch read obtain download load pull |
get view see show display check inspect open | update edit change modify alter adjust revise amend set patch |
rename retitle | replace swap substitute overwrite | move transfer shift relocate | copy duplicate clone replicate |
send deliver dispatch email mail | send post publish share | reply respond answer | forward relay |
share invite grant | invite add | assign delegate allocate | approve accept confirm authorize |
reject decline deny refuse dismiss | merge combine join unify | split divide separate | append add | attach add link |
link connect associate relate | detach disconnect unlink remove | enable activate turn | disable deactivate |
start begin launch run trigger initiate kick | run execute | restart rerun retry relaunch | resume continue |
finish complete close done end | close resolve | restore recover undelete undo untrash unarchive |
undo revert rollback | archive shelve | upload import | import ingest load | export download save |
save store keep record | track monitor watch follow | log record | schedule book plan arrange |
reserve book reservation booking | reschedule postpone | buy purchase order | sell sale | pay payment | charge bill |
bill invoice | refund reimburse reimbursement | calculate compute computation calculation |
count number quantity total | estimate predict forecast prediction | convert transform conversion change |
translate translation | summarize summary digest recap | analyze analysis analytics analyse insight |
compare comparison versus | review evaluate assess evaluation assessment | validate verify check |
recommend suggest recommendation suggestion | generate generator | extract scrape crawl | play listen | reserve hold |
lock freeze | unlock unfreeze | mute silence | subscribe subscription | unsubscribe | rate rating score |
rank ranking leaderboard | vote poll | sort order | filter narrow | remind reminder | notify notification alert |
sign signature | install setup | deploy deployment release | release publish | connect join | leave exit quit |
solve solution | explain describe explanation | mail email inbox | message text chat dm | message mail email |
call phone ring telephone | meeting event appointment | calendar diary agenda schedule |
conversation thread discussion chat | channel room | person people user member | user account |
customer client buyer shopper | colleague coworker teammate | employee staff worker personnel |
company business firm corporation organization enterprise organisation org | team group | contact address |
profile bio | friend follower | picture image photo photograph pic | video clip movie footage | movie film cinema |
music song audio track tune | song lyrics | file document doc | folder directory | page site website webpage |
url link webpage address | spreadsheet sheet workbook excel | presentation slides slide deck powerpoint ppt pptx |
sheet tab worksheet | row record entry | column field | cell range | table grid database | form survey questionnaire |
question quiz | answer response | comment remark note | note memo | label tag | category type | reaction emoji |
task todo ticket | issue bug ticket defect | bug error defect | pr pull | repo repository | branch ref |
commit revision | diff patch | pipeline workflow ci | build compile | job run | sprint cycle iteration |
milestone deadline | roadmap initiative | status state | priority urgency | assignee owner | description body text |
title name heading | price cost fee rate | cheap affordable budget | money cash funds | currency forex |
stock share equity ticker | crypto cryptocurrency bitcoin ethereum | discount coupon promotion promo voucher deal |
product item goods | stock inventory | warehouse location | cart basket | shop store | order purchase |
shipping delivery shipment parcel package | dispute chargeback | payout deposit | plan subscription membership |
receipt invoice | tax vat | balance funds | bank account | card visa mastercard | wallet card | report statement |
news headline headlines article | article post blog | paper papers publication research academic scholarly |
weather forecast temperature rain | place location spot | location address coordinates | map maps |
route directions navigation itinerary | trip travel journey vacation holiday |
hotel accommodation lodging hostel airbnb | flight airline plane airfare | airport flight | train railway rail |
car vehicle automobile auto | restaurant dining eatery food | recipe cooking cook meal dish |
food nutrition diet meal | calorie nutrition | workout exercise fitness | health medical healthcare wellness |
doctor physician medical | medicine drug medication | disease illness condition | job career employment vacancy |
resume cv | salary wage pay | school education | course class lesson | student pupil learner | book novel |
law legal lawyer | court legal | house home property estate | rent rental lease | game gaming | sport sports |
match game fixture | player athlete | team club | love relationship | gift present | joke humor | quote quotation |
word vocabulary dictionary | definition meaning | language translation | time clock timezone | date day |
history historical past | website site web | internet web online | domain hostname | password credential secret |
token key | permission access rights | role permission | schedule timetable | size dimension | color colour |
graph chart plot diagram | dataset data | code program script programming | math mathematics arithmetic |
equation formula | distance length | weight mass | speed velocity | temperature heat | energy power electricity |
environment environmental climate | earthquake quake seismic | space astronomy nasa | star stars astronomy |
planet planetary | animal pet | dog cat pet | plant garden gardening | fashion clothing clothes outfit apparel style |
beauty makeup cosmetics | movie show tv series | podcast episode | artist singer musician | lyrics song |
statistics stats metrics | trend trending popular | latest recent newest | favorite favourite starred bookmark |
archive history | backup snapshot | hashtag tag | tweet twitter | bookmark save |
transcript transcription captions subtitles | voice speech audio | draft unsent | attachment file | signature footer |
vacation ooo away | unread new | spam junk | information info detail | ad advert advertisement | app application |
apply application | auth authentication login signin | config configuration setting preference | db database |
dir directory folder | doc document | env environment | geo geographic geography geolocation | lab laboratory |
exam examination test | dev developer | admin administrator | max maximum highest | min minimum lowest |
avg average mean | temp temperature | txt text | img image | msg message | num number | org organization organisation |
qty quantity | param parameter | spec specification specify | verify verification | notify notification |
modify modification | identify identification recognize recognition detect |
classify classification categorize category class | certify certification | multiply multiplication |
diagnose diagnosis diagnostic | synthesize synthesis | history historical | economy economic | politics politician |
biology bio | psychology mental | technology tech | ecology ecosystem | philosophy philosophical | medicine medical |
finance financial | agriculture farming crop | architecture architect | science scientific scientist |
strategy strategic | religion religious | nutrition nutrient | weigh weight | long length | wide width |
high height tall | deep depth | strong strength | hot heat | sell sale seller | choose choice select pick |
decide decision | compete competition competitor contest | maintain maintenance | produce production |
reduce reduction decrease | increase raise | conclude conclusion | permit permission | admit admission |
submit submission | transmit transmission | emit emission | respond response | extend extension | expand expansion |
license licence | succeed success | receive receipt | refer referral | depart departure | fail failure |
press pressure | grow growth | born birth birthday | die death mortality | marry marriage wedding |
advise advice advisor consult | use usage utilize | store storage | bag luggage baggage | ship shipment |
city urban town municipal | village rural | country nation international | government governmental gov public |
chemistry chemical compound molecule | astronomy astronomical celestial | member membership |
register registration enroll | author writer | art artwork painting museum exhibition artist |
animal wildlife species pet | drug pharmaceutical medication pharmacy | near nearby close | statistics stats |
critic critique | learn study education | teach teacher instructor | child children kid | woman women female |
man men male | elderly senior old | young youth | legislation law bill statute | crime criminal police |
election vote | environment environmental | pollution air quality | water aquatic | ocean sea marine |
forest forestry tree | volcano volcanic eruption | climate weather | astronaut space | rocket spacecraft satellite |
aircraft airplane plane aviation | automotive automobile car vehicle | traffic congestion | transport transit |
bicycle bike cycling | walk pedestrian | run jog | exercise workout training gym | sleep bedtime | dream sleep |
pregnancy pregnant | tooth dental dentist | eye vision | skin skincare | hair hairstyle | gene genetic dna genome |
protein peptide | cell cellular | virus viral infection | cancer tumor | heart cardiac | brain neural |
patient clinical | hospital clinic | symptom illness | surgery surgical operation | insurance policy coverage |
loan mortgage credit | invest investor | trade trader | tax taxation | accounting bookkeeping |
revenue income earning sale | profit margin | expense cost spending | donate charity | volunteer nonprofit |
customer client consumer | campaign ad | supplier vendor | manufacture factory | machine machinery equipment |
engine motor | robot automation | sensor detector | signal frequency | security safety | encrypt cipher |
compress zip | decompress unzip extract | hash checksum | virus malware | hack breach | server host | cloud hosting |
container docker | debug troubleshoot | compile build | performance benchmark | visualize chart plot | render draw |
edit editor | crop trim | resize scale | rotate flip | transcribe transcription | pronounce pronunciation |
grammar proofread spelling | synonym antonym thesaurus | paraphrase rewrite rephrase | poem poetry |
story storytelling tale | character hero | novel fiction book | library librarian | publish publication |
journal magazine | newspaper press | hire recruit | skill ability | leader leadership | colleague team |
conference event | party celebration | festival celebration | ticket booking admission | theater theatre |
concert gig | dance ballet | photo photography photographer | camera photo | draw sketch | logo brand |
font typography | furniture decor | interior decor | building construction | bridge structure | room bedroom |
garden landscape | kitchen cooking | restaurant cafe | drink beverage | wine beer alcohol | coffee tea |
vegetarian vegan | allergy allergic | ingredient recipe | grocery supermarket | clothes garment wear |
shoe footwear sneaker | jewelry jewellery | perfume fragrance | makeup cosmetic | toy game | puzzle riddle |
chess board | card deck | dice die | lottery jackpot | bet gambling odds | league championship tournament |
standing table | coach trainer | celebrity famous | biography life | quote saying | fact trivia | holiday vacation |
beach coast | mountain hill | hike trail | bus coach | subway metro | taxi cab ride | fuel gas gasoline petrol |
charge charger | ev electric | solar sun | wind turbine | moon lunar | sunrise sunset | tide surf | flood disaster |
fire wildfire | emergency urgent | alert warning | complaint feedback | opinion sentiment | feeling emotion mood |
personality character | relationship dating | family parent | baby infant | funeral death |
military army defense defence | weapon gun | visa immigration passport | embassy consulate | currency exchange |
convert exchange | unit measurement | angle degree | area surface | volume capacity | shape geometry geometric |
probability statistics odds | random dice | prime factor | integral derivative calculus | matrix vector |
sum add total | subtract minus difference | average mean | percent percentage | zip postal postcode |
phone mobile cell telephone | sms text | fax phone | browser web | bookmark favorite | tab window |
screenshot capture | clipboard copy | timer countdown stopwatch | alarm reminder | timezone zone | calendar date |
age old | color palette | emoji emoticon | meme funny | gif animation | wallpaper background | subtitle caption |
channel broadcast | radio station | voice speech | speaker audio | microphone record | instrument guitar piano |
chord melody | genre category | playlist mix | album record | chart ranking | award prize | score point | level rank |
goal objective target | habit routine | diary journal | idea brainstorm | plan planner | project task |
progress status | resource asset | risk threat hazard | quality standard | compliance regulation regulatory |
contract agreement | partner partnership | shareholder investor | board director | ceo executive |
startup entrepreneur business | franchise branch | headquarters office | office workplace | remote home |
salary payroll wage | leave absence vacation | benefit perk | retire pension
"""
"""Groups between bars: each word stands for the others of its group. A word may be in several."""

KINDS = """
finance: stock share bitcoin ethereum crypto cryptocurrency invest investment trading fund dividend portfolio |
finance: market earnings loan mortgage credit bank budget tax pension money currency interest inflation debt saving |
finance: wealth | investment: stock bitcoin crypto fund portfolio bond |
cryptocurrency: bitcoin ethereum btc eth dogecoin coin |
product: laptop phone smartphone headphones shoes camera furniture printer tv monitor chair toy watch electronics |
product: dress shirt jeans bag sneakers tablet headset keyboard mattress vacuum console |
shopping: buy purchase product laptop phone shoes price cart amazon dress shirt jeans bag sneakers skincare gift |
shopping: discount coupon store mall ebay etsy furniture |
food: recipe restaurant lasagna pizza pasta dinner lunch breakfast vegetarian vegan cuisine sushi fruit vegetable |
food: chicken beef bread cheese coffee wine cake snack ingredient menu |
recipe: lasagna pasta cake soup dinner dish bake bread chicken salad pancake curry |
travel: flight hotel trip itinerary vacation destination tourism airport rental passport visa luggage beach tour |
travel: sightseeing cruise backpack tourist hostel airbnb | media: movie film tv show music song book |
research: paper academic science study journal |
education: course learn lesson tutorial university student math homework exam teacher degree vocabulary school |
education: class quiz lecture | job: resume career hiring recruiter interview salary employer internship vacancy |
health: symptom disease doctor medicine fitness diet pain headache vitamin calorie workout sleep mental therapy |
health: hospital vaccine diabetes pregnancy weight |
sport: football soccer basketball baseball tennis nba nfl cricket hockey golf olympics marathon tournament league |
sport: f1 racing ufc boxing | football: soccer |
music: song playlist artist album concert guitar piano beat lyric spotify jazz rapper dj |
entertainment: movie music game show concert netflix comedy actor celebrity anime cartoon |
weather: rain snow temperature forecast humidity wind sunny storm hurricane tide surf |
location: city country address place nearby street downtown |
language: french spanish german chinese japanese english italian korean portuguese arabic |
translate: french spanish german chinese japanese italian korean portuguese arabic |
document: pdf word docx contract essay report | file: pdf docx csv image video attachment folder upload download zip |
image: png jpg jpeg picture logo drawing meme wallpaper photo avatar | spreadsheet: csv excel |
code: python javascript java github programming bug algorithm function script compile | developer: github code api |
website: domain seo url html css landing wordpress |
social: twitter facebook instagram tiktok linkedin post follower hashtag influencer viral snapchat |
space: mars moon nasa planet galaxy rocket astronaut satellite iss | vehicle: car truck motorcycle |
property: apartment house condo rent mortgage landlord | time: timezone date hour clock |
event: concert conference party birthday meeting ticket festival wedding |
history: ancient century war empire king civilization revolution | money: dollar euro currency payment |
currency: usd eur gbp dollar euro yen pound | video: youtube tiktok clip film vimeo |
astrology: horoscope zodiac tarot | animal: dog cat bird horse fish cow lion species |
stock: nasdaq dow ticker tesla apple nvidia | restaurant: sushi pizza burger brunch cafe bar |
medical: diagnosis patient surgery prescription dose cancer | diet: calorie protein carb vegan keto weight |
fitness: gym workout yoga running muscle | learn: tutorial course lesson beginner |
science: physics chemistry biology astronomy experiment quantum atom |
technology: computer software hardware smartphone gadget | art: painting drawing sculpture gallery artist |
law: contract lawsuit court attorney rights copyright patent lease | legal: contract lawsuit attorney lease trademark |
career: resume interview promotion | home: furniture decor kitchen cleaning renovation |
movie: netflix actor director imdb hollywood | tv: episode season netflix series |
news: politics election president breaking | game: chess minecraft pokemon puzzle trivia dice sudoku roblox steam |
geography: river mountain capital continent | religion: bible quran prayer church | bible: verse scripture psalm |
marketing: seo ad campaign audience brand lead | advertising: campaign banner sponsor | seo: keyword backlink ranking |
data: csv sql dataset table | ai: chatbot gpt llm neural | design: logo poster ui banner typography |
database: sql postgres mysql query | writing: essay blog article letter novel | text: paragraph sentence essay word |
speech: pronounce voice accent | audio: mp3 podcast song | environment: pollution carbon climate emission |
energy: solar wind battery fuel oil | car: tesla honda toyota bmw ford | transport: bus train subway taxi |
map: directions route nearby distance | ticket: concert match show festival |
crypto: bitcoin ethereum blockchain token nft wallet | company: startup ceo founder competitor |
business: startup entrepreneur company sales | customer: lead prospect buyer |
security: password hack phishing malware vulnerability | network: ip dns ping port | server: ssh linux cloud |
browser: chrome tab | pet: dog cat puppy | plant: flower tree seed crop | baby: newborn toddler |
love: dating romance relationship | relationship: dating marriage breakup |
psychology: anxiety stress depression emotion | fun: joke meme trivia | disaster: earthquake flood hurricane tsunami |
math: algebra calculus equation geometry | calculator: algebra equation percentage loan |
chart: histogram pie bar plot | report: summary analysis | email: inbox newsletter subject |
calendar: schedule appointment meeting | meeting: zoom conference agenda | task: todo deadline reminder
"""
"""A general word and the special ones it covers: a special word may stand for the general one."""

PHRASES = """
money back: refund | give back: return refund | pay back: refund | pay into: payout deposit | pay out: payout |
send out: send | get out to: send | write off: uncollectible | put together: create | go through: list read |
keep an eye on: watch monitor | let know: notify send message | make sure: check | cross out: remove |
wipe out: clear delete | clean up: delete clear | clear out: delete clear | close off: close |
block out: schedule event | pencil in: schedule event create | set aside: schedule | in charge: assignee owner |
point to: assign link | work on: assign task | sum up: summary | figure out: find | find out: find get |
note down: create note | write down: create note | jot down: create note | ping: message send notify |
charge back: dispute chargeback | get rid of: delete remove | throw away: delete trash | throw out: delete trash |
take off: remove detach | take down: delete remove | take out: remove delete | cross off: complete remove |
call off: cancel delete | sign off: approve review | sign up: register create | look over: review |
look up: search get | look into: get | look for: search | dig out: search | dig up: search | hunt down: search |
track down: search | catch up: list history summary | bring back: restore | put back: restore |
roll back: revert restore | turn on: enable | turn off: disable | switch on: enable | switch off: disable |
shut down: stop | set up: create | kick off: start | hand over: assign transfer | pass on: forward | send on: forward |
write back: reply | get back to: reply | fill in: update | fill out: submit | put in: add insert | put on: add |
pull in: invite add | let in: invite | kick out: remove | add to: add insert | hold off: pause | put off: reschedule |
push back: reschedule update | pull request: pr | merge request: pull pr | code review: review pull |
work item: issue task | to do: task todo | direct message: dm message conversation open |
group chat: channel conversation | out of office: vacation away | auto reply: vacation responder |
free time: availability calendar | how many: count list | how much: amount price balance | how far: distance |
how long: duration | how old: age | what time: time | who is: profile | where is: location |
real estate: property house | time off: vacation leave | bank holiday: holiday | web site: website |
web page: page website | read only: permission reader | phone number: contact | credit card: card payment
"""
"""Several words that together mean something else than each alone."""

PRONOUNS = frozenset("it them him her this that these those me us".split())
"""Words that may stand inside a phrase: take it out."""

SHAPES = (
    (r"https?://|\bwww\.", "url page website"),
    (r"[\w.+-]{1,64}@[\w-]{1,64}\.\w", "email mail address"),
    (r"\b[A-Z]{2,6}-\d{1,6}\b", "issue ticket"),
    (r"(?<![\w&])#[a-z][\w-]{2,40}", "channel"),
    (r"(?<!\w)@[A-Za-z][\w-]{2,40}", "user member"),
    (r"[$€£¥]\s?\d", "amount payment price"),
    (r"\bv\d{1,4}\.\d", "release version"),
    (r"\b[A-Z]{1,2}\d{1,4}:[A-Z]{1,2}\d{1,4}\b", "range cell"),
    (r"\w\.(?:pdf|docx?|xlsx?|csv|pptx?|txt|md|json|zip)\b", "file document"),
    (r"\w\.(?:png|jpe?g|gif|svg|webp)\b", "image picture file"),
    (r"\w\.(?:mp3|wav|mp4|mov)\b", "audio video file"),
    (r"\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b", "ip network address"),
    (r"-?\b\d{1,3}\.\d{3,}, ?-?\d{1,3}\.\d{3,}", "coordinates latitude longitude location"),
)
"""What a value says by its shape."""
